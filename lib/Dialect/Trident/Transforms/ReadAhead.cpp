//===- ReadAhead.cpp - read elements as tiles before scores are there -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What a function of scores reads from memory at each row and column needs no score. Read at the
// beginning of a step it arrives while the dots run, and as a tile it is read two neighbours at a
// time.
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace trident {
#define GEN_PASS_DEF_READAHEAD
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {
struct ReadAhead : trident::impl::ReadAheadBase<ReadAhead> {
  void runOnOperation() override;
};
} // namespace

/// The ops of the region of \p score that \p values are computed from; nullopt where they need more
/// than the coordinates and what is outside.
static std::optional<llvm::SetVector<Operation *>> findSlice(ScoreOp score, ValueRange values) {
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> work(values);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!score.getBody().isAncestor(value.getParentRegion()))
      continue;
    Operation *op = value.getDefiningOp();
    if (!op) {
      unsigned number = cast<BlockArgument>(value).getArgNumber();
      if (number != 1 && number != 2)
        return std::nullopt;
    } else if (slice.insert(op)) {
      llvm::append_range(work, op->getOperands());
    }
  }
  return slice;
}

/// Where the tile can be read at the earliest: in front of the step that \p score is in, unless it
/// needs a value of that step.
static Operation *findPlace(ScoreOp score, const llvm::SetVector<Operation *> &slice) {
  auto loop = dyn_cast<ForTilesOp>(score->getParentOp());
  if (!loop)
    return score;
  auto isOfStep = [&](Value value) {
    return value && loop.getBody().isAncestor(value.getParentRegion()) &&
           !score.getBody().isAncestor(value.getParentRegion()) && value != loop.getTileIndex();
  };
  bool needsStep =
      isOfStep(score.getRowTile()) || isOfStep(score.getColTile()) ||
      llvm::any_of(slice, [&](Operation *op) { return llvm::any_of(op->getOperands(), isOfStep); });
  return needsStep ? score.getOperation() : &loop.getBlock().front();
}

/// The tile of what \p element reads, if it can be read as one.
static Value readTile(ScoreOp score, ElementOp element) {
  Block &body = score.getBody().front();
  BlockArgument row = body.getArgument(1), column = body.getArgument(2);
  auto slice = findSlice(score, element.getIndices());
  if (!element.getType().isF32() || !slice ||
      !ElementTileOp::isAlongColumns(element.getIndices(), column))
    return {};
  auto usesRow = [&](Operation *op) { return llvm::is_contained(op->getOperands(), row); };
  // What does not depend on the row is read once a column, for all rows of a lane.
  if (!usesRow(element) && llvm::none_of(*slice, usesRow))
    return {};
  OpBuilder b(findPlace(score, *slice));
  auto tile = RankedTensorType::get(score.getType().getShape(),
                                    element.getView().getType().getElementType());
  auto read = ElementTileOp::create(b, element.getLoc(), tile, element.getView(),
                                    score.getRowTile(), score.getColTile());
  IRMapping mapping;
  Block *block = b.createBlock(&read.getBody());
  for (BlockArgument argument : {row, column})
    mapping.map(argument, block->addArgument(argument.getType(), argument.getLoc()));
  for (Operation &op : body)
    if (slice->contains(&op))
      b.clone(op, mapping);
  YieldOp::create(b, element.getLoc(), llvm::map_to_vector(element.getIndices(), [&](Value index) {
                    return mapping.lookupOrDefault(index);
                  }));
  return read.getResult();
}

void ReadAhead::runOnOperation() {
  SmallVector<std::pair<ScoreOp, ElementOp>> reads;
  getOperation().walk([&](ScoreOp score) {
    if (score.getType().hasStaticShape())
      for (auto element : score.getBody().front().getOps<ElementOp>())
        reads.push_back({score, element});
  });
  for (auto [score, element] : reads) {
    Value tile = readTile(score, element);
    if (!tile)
      continue;
    score.getOthersMutable().append(tile);
    element.replaceAllUsesWith(
        Value(score.getBody().front().addArgument(element.getType(), element.getLoc())));
    element.erase();
  }
}
