//===- Tile.cpp - give every tile its size, and every loop its segments ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A loop over the tiles of a dimension is cut into segments. Along the loop's coordinate, with
// [visited.begin, visited.end) where a mask accepts something and [full.begin, full.end) where it
// accepts everything:
//
//        visited.begin     full.begin              full.end      visited.end
//             |                |                       |              |
//     --|-----:-----|----------:|----------|----------|:---------|----:------|--   tiles
//       [ partial    partial    )[ full      full     )[ partial   partial   )
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "trident/Analysis/MaskIntervals.h"
#include "trident/Analysis/TileCount.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace trident {
#define GEN_PASS_DEF_TILE
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The extent of a tile of `dim`, or failure with a message at `op`.
FailureOr<int64_t> tileExtent(KernelOp kernel, Operation *op, StringRef dim) {
  if (std::optional<int64_t> extent = kernel.getTileExtent(dim))
    return *extent;
  return op->emitOpError() << "has a tile of dimension '" << dim
                           << "', which the schedule of kernel '" << kernel.getSymName()
                           << "' does not tile: expected '" << dim
                           << "' in 'tiles', or an integer parameter of that name";
}

/// Gives `tile`, a result or a region's argument of `op`, its shape.
LogicalResult setShape(KernelOp kernel, const DimensionNames &names, Operation *op, Value tile) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  if (!type)
    return success();
  ArrayRef<StringAttr> dims = names.of(tile);
  if (type.hasStaticShape() && dims.empty())
    return success();
  SmallVector<int64_t> shape;
  for (auto [i, extent] : llvm::enumerate(type.getShape())) {
    StringRef dim = i < dims.size() ? dims[i].getValue() : "";
    if (dim.empty() && ShapedType::isDynamic(extent))
      return op->emitOpError()
             << "has a tile " << type << " whose dimension " << i
             << " has no name: expected it to come from a load, a full or a broadcast";
    if (dim.empty()) { // Made by a pass, which knew the extent.
      shape.push_back(extent);
      continue;
    }
    FailureOr<int64_t> expected = tileExtent(kernel, op, dim);
    if (failed(expected))
      return failure();
    if (!ShapedType::isDynamic(extent) && extent != *expected)
      return op->emitOpError() << "has a tile " << type << " with extent " << extent << " along '"
                               << dim << "': expected " << *expected << ", the schedule's tile";
    shape.push_back(*expected);
  }
  tile.setType(type.clone(shape));
  return success();
}

/// A dimension that is loaded or stored whole must be one tile.
LogicalResult checkWhole(KernelOp kernel, Operation *op, ViewType view, unsigned indices) {
  for (StringAttr dim : view.getDims().drop_front(indices)) {
    std::optional<int64_t> whole = kernel.getStaticExtent(dim), tile = kernel.getTileExtent(dim);
    if (whole && tile && whole != tile)
      return op->emitOpError() << "takes dimension '" << dim.getValue() << "' = " << *whole
                               << " whole, but the schedule has tiles of " << *tile
                               << ": expected a tile of " << *whole << " or none";
  }
  return success();
}

LogicalResult setShapes(KernelOp kernel) {
  DimensionNames names(kernel);
  WalkResult walk = kernel.getBody().walk([&](Operation *op) -> WalkResult {
    if (auto load = dyn_cast<LoadOp>(op))
      if (failed(checkWhole(kernel, op, load.getView().getType(), load.getIndices().size())))
        return failure();
    if (auto store = dyn_cast<StoreOp>(op))
      if (failed(checkWhole(kernel, op, store.getView().getType(), store.getIndices().size())))
        return failure();
    for (Value result : op->getResults()) {
      if (auto index = dyn_cast<TileIndexType>(result.getType()))
        if (failed(tileExtent(kernel, op, index.getDim().getValue())))
          return failure();
      if (failed(setShape(kernel, names, op, result)))
        return failure();
    }
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (failed(setShape(kernel, names, op, argument)))
          return failure();
    if (auto loop = dyn_cast<ForTilesOp>(op))
      return failed(tileExtent(kernel, op, loop.getDim())) ? failure() : success();
    return success();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Ends of dimensions
//===----------------------------------------------------------------------===//

/// Whether `tile` was made from one that a mask of `loop` has cut.
bool isMasked(Value tile, ForTilesOp loop) {
  llvm::SetVector<Value> made;
  made.insert(tile);
  for (size_t i = 0; i != made.size(); ++i) {
    Operation *op = made[i].getDefiningOp();
    if (!op || isa<DotOp>(op) || !loop->isAncestor(op))
      continue;
    if (auto mask = dyn_cast<MaskOp>(op))
      if (mask.getRowTile() == loop.getTileIndex() || mask.getColTile() == loop.getTileIndex())
        return true;
    made.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// What is along the columns takes in all of a tile, so the elements past the end of the dimension
/// that a loop tiles must have been masked.
LogicalResult checkEnds(KernelOp kernel) {
  DimensionNames names(kernel);
  WalkResult walk = kernel.getBody().walk([&](Operation *op) -> WalkResult {
    if (!isa<ReduceOp, SoftmaxStepOp>(op))
      return success();
    Value tile = op->getOperand(0);
    ArrayRef<StringAttr> dims = names.of(tile);
    StringAttr dim = dims.empty() ? StringAttr() : dims.back();
    auto loop = op->getParentOfType<ForTilesOp>();
    while (loop && loop.getDimAttr() != dim)
      loop = loop->getParentOfType<ForTilesOp>();
    if (!loop)
      return success();
    std::optional<int64_t> extent = kernel.getStaticExtent(dim);
    if ((extent && *extent % *kernel.getTileExtent(dim) == 0) || isMasked(tile, loop))
      return success();
    return op->emitOpError() << "takes in columns past the end of '" << dim.getValue()
                             << "' in its last tile: expected a trident.mask of the tile before, "
                                "at the index of the loop; one that yields true will do";
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// Appends `mask`'s predicate to that of the mask it takes, where both look at the same tiles.
void mergeMasks(KernelOp kernel) {
  SmallVector<MaskOp> masks;
  kernel.walk([&](MaskOp mask) { masks.push_back(mask); });
  for (MaskOp mask : masks) {
    auto inner = mask.getOperand().getDefiningOp<MaskOp>();
    if (!inner || !inner->hasOneUse() || inner.getRowTile() != mask.getRowTile() ||
        inner.getColTile() != mask.getColTile() || inner->getBlock() != mask->getBlock())
      continue;
    Block &from = inner.getBody().front(), &to = mask.getBody().front();
    Operation *first = &to.front(), *yield = to.getTerminator();
    Value predicate = from.getTerminator()->getOperand(0);
    from.getTerminator()->erase();
    for (auto [old, argument] : llvm::zip(from.getArguments(), to.getArguments()))
      old.replaceAllUsesWith(argument);
    to.getOperations().splice(first->getIterator(), from.getOperations());
    OpBuilder builder(yield);
    yield->setOperand(
        0, arith::AndIOp::create(builder, mask.getLoc(), predicate, yield->getOperand(0)));
    mask.getOperandMutable().assign(inner.getOperand());
    inner.erase();
  }
}

/// One loop, its masks and the arithmetic in front of it.
class Segmentation {
public:
  Segmentation(KernelOp kernel, ForTilesOp loop)
      : kernel(kernel), loop(loop), builder(loop),
        wide(builder, loop.getLoc(), builder.getI64Type()),
        narrow(builder, loop.getLoc(), builder.getI32Type()), extent(extentOf(loop.getDim())),
        tile(*kernel.getTileExtent(loop.getDim())) {}

  void run();

private:
  SmallVector<MaskOp> masksOfLoop();
  Scalar extentOf(StringRef dim);
  Value hasRows();
  MaskCoordinates coordinates(MaskOp mask);
  void rejectPastEnd(MaskOp mask);
  Scalar toTiles(std::optional<Scalar> coordinate, Scalar otherwise, bool up);
  void set(const MaskIntervals &intervals, bool masked);

  KernelOp kernel;
  ForTilesOp loop;
  OpBuilder builder;
  ScalarBuilder wide, narrow;
  Scalar extent; ///< of the loop's dimension, i32.
  int64_t tile;
};

/// The masks on the loop's tiles, of which no loop inside it takes charge.
SmallVector<MaskOp> Segmentation::masksOfLoop() {
  SmallVector<MaskOp> masks;
  auto uses = [](MaskOp mask, ForTilesOp loop) {
    return mask.getRowTile() == loop.getTileIndex() || mask.getColTile() == loop.getTileIndex();
  };
  loop.getBody().walk([&](MaskOp mask) {
    if (!uses(mask, loop))
      return;
    for (auto inner = mask->getParentOfType<ForTilesOp>(); inner != loop;
         inner = inner->getParentOfType<ForTilesOp>())
      if (uses(mask, inner))
        return;
    masks.push_back(mask);
  });
  return masks;
}

/// The extent of `dim` in the program, read at the start of the kernel's body at the latest here.
Scalar Segmentation::extentOf(StringRef dim) {
  if (std::optional<int64_t> constant = kernel.getStaticExtent(dim))
    return *constant;
  if (Value length = findLength(loop, dim))
    return length;
  Operation *here = kernel.getBlock().findAncestorOpInBlock(*loop);
  for (DimOp op : kernel.getBlock().getOps<DimOp>())
    if (op.getDim() == dim && op->isBeforeInBlock(here))
      return op.getResult();
  OpBuilder start = OpBuilder::atBlockBegin(&kernel.getBlock());
  return DimOp::create(start, loop.getLoc(), start.getI32Type(), dim).getResult();
}

/// False in programs whose tile lies past the end of their sequence, which have nothing to visit;
/// null where there are none.
Value Segmentation::hasRows() {
  Value all;
  for (auto program : kernel.getBlock().getOps<ProgramOp>()) {
    Value length = findLength(program, program.getDim());
    if (!length || !isa<TileIndexType>(program.getType()))
      continue;
    Value number =
        TileNumberOp::create(builder, loop.getLoc(), builder.getI32Type(), program.getResult());
    Scalar first = narrow.mul(number, *kernel.getTileExtent(program.getDim()));
    Value has = arith::CmpIOp::create(builder, loop.getLoc(), arith::CmpIPredicate::slt,
                                      narrow.get(first), length);
    all = all ? arith::AndIOp::create(builder, loop.getLoc(), all, has).getResult() : has;
  }
  return all;
}

MaskCoordinates Segmentation::coordinates(MaskOp mask) {
  bool columns = mask.getColTile() == loop.getTileIndex();
  Block &body = mask.getBody().front();
  MaskCoordinates result;
  result.loop = body.getArgument(columns ? 1 : 0);
  result.extent = wide.convert(extent);
  result.loopDim = loop.getDimAttr();
  result.loopTile = tile;
  result.other = body.getArgument(columns ? 0 : 1);
  Value otherTile = columns ? mask.getRowTile() : mask.getColTile();
  if (!otherTile) {
    result.otherBegin = 0;
    result.otherEnd = mask.getType().getDimSize(columns ? 0 : 1);
    return result;
  }
  auto dim = cast<TileIndexType>(otherTile.getType()).getDim();
  result.otherDim = dim;
  Scalar otherExtent = wide.convert(extentOf(dim));
  if (loop.getBody().isAncestor(
          otherTile.getParentRegion())) { // An index of this loop, or of one inside it.
    result.otherBegin = 0;
    result.otherEnd = otherExtent;
    return result;
  }
  int64_t rows = *kernel.getTileExtent(dim);
  Value number = TileNumberOp::create(builder, loop.getLoc(), builder.getI32Type(), otherTile);
  result.otherBegin = wide.mul(wide.convert(number), rows);
  Scalar tileEnd = wide.add(result.otherBegin, rows);
  result.otherEnd = wide.min(tileEnd, otherExtent);
  if (!otherTile.getDefiningOp<ProgramOp>()) // Past the end of a program's tile nothing is stored,
                                             // in a loop's it may be.
    result.otherTileEnd = tileEnd;
  return result;
}

/// Makes the mask reject elements past the end of the dimensions that loops tile, as segments that
/// apply it must.
void Segmentation::rejectPastEnd(MaskOp mask) {
  Block &body = mask.getBody().front();
  Operation *yield = body.getTerminator();
  OpBuilder inside(yield);
  Value indices[] = {mask.getRowTile(), mask.getColTile()};
  for (auto [i, index] : llvm::enumerate(indices)) {
    if (!index || index.getDefiningOp<ProgramOp>())
      continue;
    StringRef dim = cast<TileIndexType>(index.getType()).getDim().getValue();
    std::optional<int64_t> fixed = kernel.getStaticExtent(dim);
    if (fixed && *fixed % *kernel.getTileExtent(dim) == 0)
      continue;
    Value end = narrow.get(extentOf(dim));
    Value exists = arith::CmpIOp::create(inside, mask.getLoc(), arith::CmpIPredicate::slt,
                                         body.getArgument(i), end);
    Value predicate = yield->getOperand(0);
    bool accepts = matchPattern(predicate, m_One());
    yield->setOperand(
        0, accepts ? exists
                   : arith::AndIOp::create(inside, mask.getLoc(), predicate, exists).getResult());
  }
}

/// The number of whole tiles below `coordinate`, or of begun ones.
Scalar Segmentation::toTiles(std::optional<Scalar> coordinate, Scalar otherwise, bool up) {
  if (!coordinate)
    return otherwise;
  Scalar number = narrow.convert(*coordinate);
  return up ? narrow.ceilDiv(number, tile) : narrow.floorDiv(number, tile);
}

/// Writes bounds and classes: partial, full, partial, less what is known to be empty.
void Segmentation::set(const MaskIntervals &intervals, bool masked) {
  const auto &[visited, full] = intervals;
  Scalar end = wide.convert(extent);
  Scalar firstVisited = toTiles(visited.begin, 0, /*up=*/false);
  Scalar lastVisited =
      visited.empty ? Scalar(0) : toTiles(visited.end.value_or(end), 0, /*up=*/true);
  if (visited.empty)
    firstVisited = 0;
  else if (visited.begin)
    lastVisited = narrow.select(
        arith::CmpIOp::create(builder, loop.getLoc(), arith::CmpIPredicate::slt,
                              wide.get(*visited.begin), wide.get(visited.end.value_or(end))),
        lastVisited, firstVisited);

  SmallVector<Scalar> bounds = {firstVisited};
  SmallVector<StringRef> classes;
  SmallVector<int64_t> counts;
  auto segment = [&](StringRef kind, Scalar last, std::optional<int64_t> count = std::nullopt) {
    bounds.push_back(last);
    classes.push_back(kind);
    counts.push_back(count.value_or(-1));
  };
  Scalar begin = visited.begin.value_or(0), visitedEnd = visited.end.value_or(end);
  if (!masked) {
    segment("full", lastVisited);
  } else if (full.empty) {
    segment("partial", lastVisited, countTilesBetween(begin, visitedEnd, tile));
  } else {
    Scalar firstFull = firstVisited;
    if (full.begin) {
      firstFull =
          narrow.min(narrow.max(toTiles(full.begin, 0, /*up=*/true), firstVisited), lastVisited);
      segment("partial", firstFull, countTilesBetween(begin, *full.begin, tile));
    }
    Scalar lastFull = toTiles(full.end.value_or(end), 0, /*up=*/false);
    if (full.begin || visited.begin)
      lastFull = narrow.max(lastFull, firstFull);
    if (full.end || visited.end || visited.begin)
      lastFull = narrow.min(lastFull, lastVisited);
    segment("full", lastFull);
    segment("partial", lastVisited, countTilesBetween(full.end.value_or(end), visitedEnd, tile));
  }
  if (Value has = hasRows())
    for (Scalar &bound : MutableArrayRef(bounds).drop_front())
      bound = narrow.select(has, bound, bounds.front());
  SmallVector<Value> values =
      llvm::map_to_vector(bounds, [&](Scalar bound) { return narrow.get(bound); });
  loop.getBoundsMutable().assign(values);
  loop.setClassesAttr(builder.getStrArrayAttr(classes));
  if (llvm::any_of(counts, [](int64_t count) { return count >= 0; }))
    loop.setAtMost(counts);
}

void Segmentation::run() {
  Operation *before = loop->getPrevNode();
  SmallVector<MaskOp> masks = masksOfLoop();
  MaskIntervals all;
  for (auto [i, mask] : llvm::enumerate(masks)) {
    MaskIntervals intervals = analyzeMask(mask, loop.getBody(), coordinates(mask), wide);
    // Of tiles that are masked apart, a loop visits what any of them needs.
    all.visited = i == 0 ? intervals.visited : hull(all.visited, intervals.visited, wide);
    all.full = i == 0 ? intervals.full : intersect(all.full, intervals.full, wide);
  }
  bool stores =
      loop.getBody().walk([](StoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (stores) // What is rejected need not be computed, but it is written.
    all.visited = Interval();
  set(all, !masks.empty());
  llvm::for_each(masks, [&](MaskOp mask) { rejectPastEnd(mask); });
  for (Operation *op = loop->getPrevNode(); op != before;) {
    Operation *previous = op->getPrevNode();
    if (isOpTriviallyDead(op))
      op->erase();
    op = previous;
  }
}

struct TilePass : trident::impl::TileBase<TilePass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (!kernel.getSchedule()) {
      kernel.emitOpError()
          << "has no schedule: expected a #trident.schedule, which trident-select-schedule chooses";
      return signalPassFailure();
    }
    if (kernel.getParameters() && !kernel.getParameters()->empty() && !kernel.getVariant()) {
      kernel.emitOpError()
          << "has parameters but no variant: expected trident-specialize to run before";
      return signalPassFailure();
    }
    if (failed(setShapes(kernel)) || failed(checkEnds(kernel)))
      return signalPassFailure();
    mergeMasks(kernel);
    kernel.walk([&](ForTilesOp loop) { // Bounds that are there already are kept.
      if (!loop.getClasses())
        Segmentation(kernel, loop).run();
    });
  }
};

} // namespace
