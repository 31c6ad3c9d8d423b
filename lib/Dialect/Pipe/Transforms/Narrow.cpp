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
#include <limits>

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
  bool isFreeOfCarried(ConsumeOp consume);
  llvm::SetVector<Operation *> chainOf(Value use);
  void findPart();
  Scalar extentOf(StringRef dim);
  MaskCoordinates coordinates(MaskOp mask, Scalar rowBegin, Scalar rowEnd);
  void analyze();
  void startAtOwnTile();
  void passOver(Value begin, Value end, bool withPart);
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
  Scalar begin, upper, last, ownEnd;
  /// Tiles [ownFullBegin, ownFull) are whole for the warpgroup; without the first: from 0 on.
  std::optional<Scalar> ownFullBegin;
  Scalar ownFull;
};
} // namespace

/// All masks of the loop look at its tile and at rows of one program's tile.
bool LoopNarrowing::collectMasks() {
  bool understood = true;
  loop.getBody().walk([&](MaskOp mask) {
    bool isColumn = mask.getColTile() == loop.getTileIndex();
    Value other = isColumn ? mask.getRowTile() : Value();
    understood &= other && other.getDefiningOp<ProgramOp>() && (!rowTile || rowTile == other) &&
                  mask->getBlock() == &loop.getBlock();
    rowTile = other;
    byRows |= !mask.getBody().front().getArgument(0).use_empty();
    masks.push_back(mask);
  });
  return understood && !masks.empty();
}

/// What computes the number of a use in the loop's body.
llvm::SetVector<Operation *> LoopNarrowing::chainOf(Value use) {
  llvm::SetVector<Operation *> chain;
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) { return op->getBlock() == &loop.getBlock(); };
  options.inclusive = true;
  (void)getBackwardSlice(use, &chain, options);
  return chain;
}

bool LoopNarrowing::isFreeOfCarried(ConsumeOp consume) {
  auto isCarried = [&](Value value) { return llvm::is_contained(loop.getCarried(), value); };
  return !isCarried(consume.getUse()) &&
         llvm::none_of(chainOf(consume.getUse()),
                       [&](Operation *op) { return llvm::any_of(op->getOperands(), isCarried); });
}

/// A step reads one slot of a ring, found by its tile, and gives it back.
bool LoopNarrowing::collectSlots() {
  auto releases = llvm::to_vector(loop.getBlock().getOps<ReleaseOp>());
  llvm::SmallPtrSet<Value, 4> rings;
  for (ConsumeOp consume : loop.getBlock().getOps<ConsumeOp>()) {
    bool isReleased = llvm::any_of(releases, [&](ReleaseOp release) {
      return release.getRing() == consume.getRing() && release.getUse() == consume.getUse();
    });
    if (!isReleased || !rings.insert(consume.getRing()).second || !isFreeOfCarried(consume))
      return false;
    consumes.push_back(consume);
  }
  return releases.size() == consumes.size();
}

/// A step that was taken out in front of the loop: it has the tile that the loop ends before, and
/// its masks look at that.
void LoopNarrowing::findPart() {
  Block &block = *loop->getBlock();
  Value end = loop.getBounds().back();
  auto least = end.getDefiningOp<arith::MinSIOp>();
  for (TileAtOp tile : block.getOps<TileAtOp>()) {
    bool endsLoop = tile.getNumber() == end ||
                    (least && llvm::is_contained(least->getOperands(), tile.getNumber()));
    bool isMasked = llvm::any_of(tile->getUsers(), [&](Operation *user) {
      auto mask = dyn_cast<MaskOp>(user);
      return mask && mask.getColTile() == tile.getResult() && mask.getRowTile() == rowTile;
    });
    bool knowsBounds = llvm::all_of(loop.getBounds(), [&](Value bound) {
      return bound.getParentBlock() != &block || !bound.getDefiningOp() ||
             bound.getDefiningOp()->isBeforeInBlock(tile);
    });
    if (endsLoop && isMasked && knowsBounds && tile->isBeforeInBlock(loop))
      partTile = tile;
  }
  if (!partTile)
    return;
  for (ConsumeOp consume : block.getOps<ConsumeOp>())
    if (partTile->isBeforeInBlock(consume) && consume->isBeforeInBlock(loop) &&
        llvm::any_of(consumes,
                     [&](ConsumeOp other) { return other.getRing() == consume.getRing(); }))
      partConsumes.push_back(consume);
}

bool LoopNarrowing::classify() {
  bool stores =
      loop.getBody().walk([](StoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!loop.getDescending() || loop.getBounds().empty() || stores || !collectMasks() ||
      !collectSlots())
    return false;
  findPart();
  return true;
}

Scalar LoopNarrowing::extentOf(StringRef dim) {
  if (std::optional<int64_t> constant = kernel.getStaticExtent(dim))
    return *constant;
  if (Value length = findLength(loop, dim))
    return length;
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
    if (!own.full.empty && own.full.begin)
      ownFullBegin = narrow.ceilDiv(narrow.convert(*own.full.begin), tile);
  }
  Value hasRows = arith::CmpIOp::create(b, loop.getLoc(), arith::CmpIPredicate::slt,
                                        wide.get(rowBegin), wide.get(rowExtent));
  ownEnd = narrow.select(hasRows, seen, begin);
}

/// The part before the loop runs the warpgroup's own last tile, in place of the block's.
void LoopNarrowing::startAtOwnTile() {
  last = upper;
  if (!partTile || !byRows || partConsumes.empty())
    return;
  int64_t ahead = std::numeric_limits<int32_t>::max();
  for (ConsumeOp consume : partConsumes)
    ahead = std::min(ahead, cast<RingType>(consume.getRing().getType()).getStages() - 1);
  skips = ahead > 0;
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
void LoopNarrowing::passOver(Value begin, Value end, bool withPart) {
  OpBuilder::InsertionGuard guard(b);
  auto pass = ForTilesOp::create(b, loop.getLoc(), TypeRange(), loop.getDimAttr(), ValueRange(),
                                 ValueRange{begin, end}, loop.getDescendingAttr(),
                                 b.getStrArrayAttr({"full"}), DenseI64ArrayAttr());
  Block *body = b.createBlock(&pass.getBody(), {}, loop.getTileIndex().getType(), loop.getLoc());
  IRMapping mapping;
  mapping.map(loop.getTileIndex(), body->getArgument(0));
  for (ConsumeOp consume : consumes) {
    bool isOfPart = llvm::any_of(
        partConsumes, [&](ConsumeOp other) { return other.getRing() == consume.getRing(); });
    if (isOfPart && !withPart)
      continue;
    llvm::SetVector<Operation *> chain = chainOf(consume.getUse());
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
    // More tiles are whole for its rows, where those follow on the ones that are for all.
    if (byRows && i + 1 == n && classes[i - 1] == "full" && classes[i] == "partial")
      bound = ownFullBegin
                  ? narrow.selectAtLeast(bound, *ownFullBegin, narrow.max(bound, ownFull), bound)
                  : narrow.max(bound, ownFull);
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
  narrowBounds();
  Value lastTile = narrow.get(last), blocksEnd = narrow.get(upper), end = narrow.get(ownEnd);
  b.setInsertionPoint(loop); // one after another, as passes to come expect
  if (skips)
    passOver(lastTile, blocksEnd, /*withPart=*/false);
  passOver(end, lastTile, /*withPart=*/true);
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
