//===- Narrow.cpp - each warpgroup runs the tiles that its rows see --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A descending loop begins with the last tile that any row of the block's tile sees. For one
// warpgroup, whose rows see less, its steps are
//
//     not taken      upper ... last' + 1     rings that the part before the loop read ahead of
//                                            are past these already, the others pass them here
//     passed         last' ... end'          every ring passes them
//     run            end' ... begin
//
// The part before the loop, where there is one, runs tile last' instead of tile `last`: the last
// one that a row of the warpgroup sees, or as near to it as the slots of a ring allow.
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "trident/Analysis/MaskIntervals.h"
#include "trident/Dialect/Pipe/Transforms/Passes.h"

namespace trident::pipe {
#define GEN_PASS_DEF_NARROW
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct Narrow : trident::pipe::impl::NarrowBase<Narrow> {
  void runOnOperation() override;
};

class LoopNarrowing {
public:
  LoopNarrowing(KernelOp kernel, ForTilesOp loop)
      : kernel(kernel), loop(loop), schedule(*kernel.getSchedule()), b(loop),
        wide(b, loop.getLoc(), b.getI64Type()), narrow(b, loop.getLoc(), b.getI32Type()) {}
  bool classify();
  void rewrite();

private:
  bool collectMasks();
  bool collectSlots();
  void findPart();
  Scalar extentOf(StringRef dim);
  MaskCoordinates coordinates(MaskOp mask, Scalar rowBegin, Scalar rowEnd);
  void analyze();
  void startAtOwnTile();
  void passOver(Scalar begin, Scalar end, bool withPart);
  void narrowBounds();

  KernelOp kernel;
  ForTilesOp loop;
  ScheduleAttr schedule;
  OpBuilder b;
  ScalarBuilder wide, narrow;
  SmallVector<MaskOp> masks;
  Value rowTile; ///< the program's tile that all masks look at
  bool byRows = false, skips = false;
  int64_t rows, share, tile; ///< rows of the tile and of a warpgroup; extent along the loop
  /// What the loop reads, and the part before it reads of the same rings.
  SmallVector<ConsumeOp> consumes, partConsumes;
  TileAtOp partTile; ///< the tile of the part before the loop; null: there is no such part
  Scalar begin, upper, last, ownEnd, ownFull;
};
} // namespace

/// All masks of the loop look at its tile and at rows of one program's tile.
bool LoopNarrowing::collectMasks() {
  for (MaskOp mask : loop.getBlock().getOps<MaskOp>()) {
    bool isColumn = mask.getColTile() == loop.getTileIndex();
    Value other = isColumn ? mask.getRowTile() : Value();
    if (!other || !other.getDefiningOp<ProgramOp>() || (rowTile && rowTile != other))
      return false;
    rowTile = other;
    byRows |= !mask.getBody().front().getArgument(0).use_empty();
    masks.push_back(mask);
  }
  return !masks.empty();
}

/// Each slot that a step reads is given back in it.
bool LoopNarrowing::collectSlots() {
  auto releases = loop.getBlock().getOps<ReleaseOp>();
  for (ConsumeOp consume : loop.getBlock().getOps<ConsumeOp>()) {
    if (llvm::none_of(releases, [&](ReleaseOp release) {
          return release.getRing() == consume.getRing() && release.getUse() == consume.getUse();
        }))
      return false;
    consumes.push_back(consume);
  }
  return true;
}

/// A step that was taken out in front of the loop: its masks look at a tile of the loop's
/// dimension.
void LoopNarrowing::findPart() {
  Block &block = *loop->getBlock();
  TileAtOp found;
  for (Operation &op : llvm::make_range(block.begin(), loop->getIterator()))
    op.walk([&](MaskOp mask) {
      auto tile = mask.getColTile() ? mask.getColTile().getDefiningOp<TileAtOp>() : TileAtOp();
      if (tile && tile->getBlock() == &block && mask.getRowTile() == rowTile)
        found = tile;
    });
  if (!found)
    return;
  for (ConsumeOp consume : block.getOps<ConsumeOp>())
    if (consume->isBeforeInBlock(loop) && llvm::any_of(consumes, [&](ConsumeOp inLoop) {
          return inLoop.getRing() == consume.getRing();
        }))
      partConsumes.push_back(consume);
  partTile = found;
}

bool LoopNarrowing::classify() {
  bool stores =
      loop.getBody().walk([](StoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!loop.getDescending() || loop.getBounds().empty() || stores || !collectMasks() ||
      !collectSlots())
    return false;
  findPart();
  return !partTile || llvm::all_of(partConsumes, [&](ConsumeOp consume) {
    return partTile->isBeforeInBlock(consume);
  });
}

Scalar LoopNarrowing::extentOf(StringRef dim) {
  if (std::optional<int64_t> constant = kernel.getStaticExtent(dim))
    return *constant;
  return DimOp::create(b, loop.getLoc(), b.getI32Type(), dim).getResult();
}

MaskCoordinates LoopNarrowing::coordinates(MaskOp mask, Scalar rowBegin, Scalar rowEnd) {
  MaskCoordinates result;
  result.loop = mask.getBody().front().getArgument(1);
  result.extent = wide.convert(extentOf(loop.getDim()));
  result.other = mask.getBody().front().getArgument(0);
  result.otherBegin = rowBegin;
  result.otherEnd = rowEnd;
  return result;
}

/// Where the tiles end that a row of this warpgroup sees, and those that all of them see.
void LoopNarrowing::analyze() {
  StringRef rowDim = cast<TileIndexType>(rowTile.getType()).getDim();
  rows = *kernel.getTileExtent(rowDim);
  share = rows / schedule.getWarpgroups();
  tile = *kernel.getTileExtent(loop.getDim());
  Value number = TileNumberOp::create(b, loop.getLoc(), b.getI32Type(), rowTile);
  Value warpgroup = WarpgroupOp::create(b, loop.getLoc(), b.getI32Type());
  Scalar rowBegin = wide.add(wide.mul(wide.convert(number), rows),
                             wide.mul(wide.convert(warpgroup), share)),
         rowExtent = wide.convert(extentOf(rowDim)),
         rowEnd = wide.min(wide.add(rowBegin, share), rowExtent);
  begin = loop.getBounds().front();
  upper = loop.getBounds().back();
  Scalar seen = upper;
  ownFull = begin;
  // Which tiles those are takes long to find out: only where the first rows are sure to see less.
  byRows &= rows - share >= tile;
  if (byRows) {
    MaskIntervals own;
    for (auto [i, mask] : llvm::enumerate(masks)) {
      auto intervals = analyzeMask(mask, loop.getBody(), coordinates(mask, rowBegin, rowEnd), wide);
      own.visited = i == 0 ? intervals.visited : hull(own.visited, intervals.visited, wide);
      own.full = i == 0 ? intervals.full : intersect(own.full, intervals.full, wide);
    }
    Scalar end = wide.convert(extentOf(loop.getDim()));
    auto toTiles = [&](const Interval &interval, bool up) {
      Scalar number = narrow.convert(interval.end.value_or(end));
      return interval.empty ? begin
             : up           ? narrow.ceilDiv(number, tile)
                            : narrow.floorDiv(number, tile);
    };
    seen = narrow.max(toTiles(own.visited, /*up=*/true), begin);
    ownFull = toTiles(own.full, /*up=*/false);
  }
  Value hasRows = arith::CmpIOp::create(b, loop.getLoc(), arith::CmpIPredicate::slt,
                                        wide.get(rowBegin), wide.get(rowExtent));
  ownEnd = narrow.select(hasRows, seen, begin);
}

/// The part before the loop runs the warpgroup's own last tile, in place of the block's.
void LoopNarrowing::startAtOwnTile() {
  last = upper;
  int64_t ahead = schedule.getStagesOf(/*inLoop=*/true) - 1;
  skips = partTile && byRows && ahead > 0;
  if (!skips)
    return;
  Scalar blocksLast = partTile.getNumber();
  Scalar nearest = narrow.max(narrow.add(ownEnd, -1), narrow.add(blocksLast, -ahead));
  last = narrow.min(narrow.max(nearest, begin), blocksLast);
  Value skipped = narrow.get(narrow.add(blocksLast, narrow.mul(last, -1)));
  partTile.getNumberMutable().assign(narrow.get(last));
  last = narrow.min(last, upper);
  narrow.get(last);
  for (ConsumeOp consume : partConsumes) {
    Value use = consume.getUse();
    b.setInsertionPoint(consume);
    Value own = arith::AddIOp::create(b, consume.getLoc(), use, skipped);
    for (Operation *user : llvm::make_early_inc_range(use.getUsers()))
      if (auto release = dyn_cast<ReleaseOp>(user);
          release && release.getRing() == consume.getRing() && release->isBeforeInBlock(loop))
        release.getUseMutable().assign(own);
    consume.getUseMutable().assign(own);
    consume.getPastMutable().assign(skipped);
  }
}

/// A loop over tiles [begin, end) that gives the slots of their steps back; those of rings that the
/// part before the loop read only `withPart`.
void LoopNarrowing::passOver(Scalar begin, Scalar end, bool withPart) {
  OpBuilder::InsertionGuard guard(b);
  auto pass =
      ForTilesOp::create(b, loop.getLoc(), TypeRange(), loop.getDimAttr(), ValueRange(),
                         ValueRange{narrow.get(begin), narrow.get(end)}, loop.getDescendingAttr(),
                         b.getStrArrayAttr({"full"}), DenseI64ArrayAttr());
  Block *body = b.createBlock(&pass.getBody(), {}, loop.getTileIndex().getType(), loop.getLoc());
  IRMapping mapping;
  mapping.map(loop.getTileIndex(), body->getArgument(0));
  for (ConsumeOp consume : consumes) {
    bool isOfPart = llvm::any_of(
        partConsumes, [&](ConsumeOp other) { return other.getRing() == consume.getRing(); });
    if (isOfPart && !withPart)
      continue;
    llvm::SetVector<Operation *> chain;
    BackwardSliceOptions options;
    options.filter = [&](Operation *op) { return op->getBlock() == &loop.getBlock(); };
    options.inclusive = true;
    (void)getBackwardSlice(consume.getUse(), &chain, options);
    for (Operation &op : loop.getBlock())
      if (chain.contains(&op) && !mapping.contains(op.getResult(0)))
        b.clone(op, mapping);
    b.clone(*consume, mapping);
    ReleaseOp::create(b, consume.getLoc(), consume.getRing(),
                      mapping.lookupOrDefault(consume.getUse()));
  }
  YieldOp::create(b, loop.getLoc());
}

void LoopNarrowing::narrowBounds() {
  SmallVector<Value> bounds(loop.getBounds());
  auto classes = llvm::to_vector(loop.getClassesAttr().getAsValueRange<StringAttr>());
  unsigned n = classes.size();
  for (unsigned i = 1; i <= n; ++i) {
    Scalar bound = bounds[i];
    if (byRows && i + 1 == n && classes[i - 1] == "full" && classes[i] == "partial")
      bound = narrow.max(bound, ownFull);
    bounds[i] = narrow.get(i == n ? ownEnd : narrow.min(bound, ownEnd));
  }
  loop.getBoundsMutable().assign(bounds);
}

void LoopNarrowing::rewrite() {
  if (partTile)
    b.setInsertionPoint(partTile);
  analyze();
  startAtOwnTile();
  if (partTile)
    b.setInsertionPointAfter(partTile);
  ownEnd = narrow.get(narrow.min(ownEnd, last));
  SmallVector<Value> blocksBounds(loop.getBounds());
  narrowBounds();
  b.setInsertionPoint(loop);
  if (skips)
    passOver(last, upper, /*withPart=*/false);
  passOver(ownEnd, last, /*withPart=*/true);
}

void Narrow::runOnOperation() {
  KernelOp kernel = getOperation();
  auto schedule = kernel.getSchedule();
  if (!schedule || !schedule->getNarrow() || schedule->getWarpgroups() < 2)
    return;
  SmallVector<ForTilesOp> loops;
  kernel.walk([&](RolesOp roles) {
    roles.getConsumer().walk([&](ForTilesOp loop) { loops.push_back(loop); });
  });
  for (ForTilesOp loop : loops) {
    LoopNarrowing narrowing(kernel, loop);
    if (narrowing.classify())
      narrowing.rewrite();
  }
}
