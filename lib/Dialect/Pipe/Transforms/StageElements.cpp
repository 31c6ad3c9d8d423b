//===- StageElements.cpp - elements wait in shared memory ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The fragment of an accumulator spreads a lane's elements over as many lines of memory as it has
// registers. Copied line by line they need no registers while they are on their way, and are read
// in the fragment's order from shared memory. Each warp copies what it reads: nothing but its own
// order keeps one copy from the reads of the one before.
//===----------------------------------------------------------------------===//

#include "trident/Dialect/Pipe/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace trident::pipe {
#define GEN_PASS_DEF_STAGEELEMENTS
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct StageElements : trident::pipe::impl::StageElementsBase<StageElements> {
  void runOnOperation() override;
};

/// Tiles of one view and shape, of which no two are needed at a time.
using Tiles = SmallVector<ElementTileOp>;
} // namespace

/// A copy of 16 bytes begins at a multiple of them.
constexpr int64_t copyBytes = 16;
/// Two copies to a row at least, so that a warp's lanes have its 16 rows.
constexpr int64_t leastRowBits = 2 * copyBytes * 8;

/// The op of \p block that \p op is or is in; null when it is elsewhere.
static Operation *findIn(Block *block, Operation *op) { return block->findAncestorOpInBlock(*op); }

static bool canWait(ElementTileOp tile) {
  RankedTensorType type = tile.getType();
  unsigned rowAxis;
  return isa_and_nonnull<AccumulatorAttr>(type.getEncoding()) &&
         type.getDimSize(1) * type.getElementTypeBitWidth() % leastRowBits == 0 &&
         CopyElementsOp::isAlongRows(tile.getBody(), rowAxis) &&
         llvm::all_of(tile->getUsers(),
                      [&](Operation *user) { return findIn(tile->getBlock(), user); });
}

/// True when none of \p others is read between \p tile and its last use.
static bool isAlone(ElementTileOp tile, const Tiles &others) {
  Block *block = tile->getBlock();
  Operation *last = tile;
  for (Operation *user : tile->getUsers())
    if (Operation *at = findIn(block, user); last->isBeforeInBlock(at))
      last = at;
  return llvm::none_of(others, [&](ElementTileOp other) {
    Operation *at = other == tile ? nullptr : findIn(block, other);
    return at && tile->isBeforeInBlock(at) && (at->isBeforeInBlock(last) || at == last);
  });
}

/// In front of what follows the last operand of \p tile, or another tile's read.
static void setEarliest(OpBuilder &b, ElementTileOp tile) {
  Block *block = tile->getBlock();
  Operation *after = nullptr;
  auto comeAfter = [&](Operation *op) {
    if (op && op->getBlock() == block && (!after || after->isBeforeInBlock(op)))
      after = op;
  };
  for (Value operand : tile->getOperands())
    comeAfter(operand.getDefiningOp());
  tile.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!tile.getBody().isAncestor(operand.getParentRegion()))
        comeAfter(operand.getDefiningOp());
  });
  for (Operation &op : *block) {
    if (&op == tile)
      break;
    WalkResult reads = op.walk([](Operation *inner) {
      return isa<ReadElementsOp, ElementTileOp>(inner) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
    });
    if (reads.wasInterrupted())
      comeAfter(&op);
  }
  if (after)
    b.setInsertionPointAfter(after);
  else
    b.setInsertionPointToStart(block);
}

static void stage(ElementTileOp tile, int64_t offset) {
  OpBuilder b(tile);
  setEarliest(b, tile);
  auto copy = CopyElementsOp::create(
      b, tile.getLoc(), AsyncType::get(b.getContext(), tile.getType()), b.getI64IntegerAttr(offset),
      tile.getView(), tile.getRowTile(), tile.getColTile());
  copy.getBody().takeBody(tile.getBody());
  for (OpOperand &use : llvm::make_early_inc_range(tile->getUses())) {
    b.setInsertionPoint(use.getOwner());
    use.set(ReadElementsOp::create(b, tile.getLoc(), tile.getType(), copy, offset));
  }
  tile.erase();
}

void StageElements::runOnOperation() {
  KernelOp kernel = getOperation();
  auto schedule = kernel.getSchedule();
  auto target = kernel.getTarget();
  std::optional<int64_t> used = kernel.getSharedBytes();
  if (!schedule || !schedule->getStageElements() || !target || !used)
    return;
  llvm::MapVector<std::pair<Value, Type>, Tiles> places;
  kernel.walk(
      [&](ElementTileOp tile) { places[{tile.getView(), tile.getType()}].push_back(tile); });
  int64_t end = *used;
  for (auto &entry : places) {
    auto type = cast<RankedTensorType>(entry.first.second);
    const Tiles &tiles = entry.second;
    int64_t offset = llvm::alignTo(end, copyBytes);
    int64_t after = offset + type.getDimSize(0) * CopyElementsOp::pitchOf(type);
    bool canBeStaged = llvm::all_of(
        tiles, [&](ElementTileOp tile) { return canWait(tile) && isAlone(tile, tiles); });
    if (!canBeStaged || after > target->getSharedBytes())
      continue;
    for (ElementTileOp tile : tiles)
      stage(tile, offset);
    end = after;
  }
  kernel.setSharedBytesAttr(OpBuilder(kernel).getI64IntegerAttr(end));
}
