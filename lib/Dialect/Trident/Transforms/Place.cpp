//===- Place.cpp - give every tile a home and a layout --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// One rule a use: a tile that comes from memory lives in swizzled shared memory; all computed tiles
// live where a dot leaves its result, one value a row in the lanes that own the row; a computed
// first operand of a dot is re-laid out in registers; the running sum of an online softmax stays
// unreduced over lanes until the loop ends.
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "trident/Analysis/TileExtents.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"

namespace trident {
#define GEN_PASS_DEF_PLACE
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {
struct Place : trident::impl::PlaceBase<Place> {
  void runOnOperation() override;

private:
  LogicalResult check();
  LogicalResult checkTile(Operation *op, RankedTensorType tile);
  LogicalResult checkLoad(LoadOp load);
  Attribute layoutOf(Value tile);
  void setLayout(Value tile);
  LogicalResult checkDepth(DotOp dot);
  LogicalResult placeLoads();
  void holdOperand(DotOp dot);
  LogicalResult placeOperands();
  void delaySums();

  /// A conversion of `tile` to layout `encoding`, right after its definition.
  Value convertAfter(Value tile, Attribute encoding);

  int64_t warpgroups = 1;
};
} // namespace

static RankedTensorType withEncoding(Value tile, Attribute encoding) {
  auto type = cast<RankedTensorType>(tile.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType(), encoding);
}

Attribute Place::layoutOf(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getRank() == 1)
    return RowAttr::get(&getContext(), warpgroups, /*partial=*/false);
  if (tile.getDefiningOp<LoadOp>())
    return SharedAttr::get(&getContext(), getOperation().getTarget()->getSwizzleBytes(),
                           isSplitForDot(tile));
  return AccumulatorAttr::get(&getContext(), warpgroups);
}

void Place::setLayout(Value tile) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  if (!type || type.getEncoding())
    return;
  tile.setType(withEncoding(tile, layoutOf(tile)));
  if (auto constant = tile.getDefiningOp<arith::ConstantOp>())
    constant.setValueAttr(
        cast<DenseElementsAttr>(constant.getValue()).reshape(cast<ShapedType>(tile.getType())));
}

Value Place::convertAfter(Value tile, Attribute encoding) {
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfterValue(tile);
  return ConvertLayoutOp::create(builder, tile.getLoc(), withEncoding(tile, encoding), tile);
}

/// Columns of a lane's smallest piece of a tile (see #trident.accumulator), 16 bytes of a 16-bit
/// one.
constexpr int64_t columnStep = 8;

/// A tile that comes from memory is copied panel by panel, each a row of the swizzle wide. Only
/// past the end of a dimension that is taken whole does the copy engine fill a panel with zeros.
LogicalResult Place::checkLoad(LoadOp load) {
  auto tile = cast<RankedTensorType>(load.getType());
  Type element = tile.getElementType();
  if (tile.getRank() == 1 && !element.isF32())
    return load.emitOpError() << "has a row vector " << tile << ": expected f32";
  if (tile.getRank() == 1)
    return success();
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return load.emitOpError() << "has a tile " << tile << ": expected f16, bf16 or f32";
  ViewType view = load.getView().getType();
  ValueRange indices = load.getIndices();
  if (indices.size() == view.getDims().size() && !isa<TileIndexType>(indices.back().getType()))
    return load.emitOpError() << "reads one coordinate of the innermost dimension of " << view
                              << ": expected a tile of it, or no index";
  int64_t bytes = getOperation().getTarget()->getSwizzleBytes();
  int64_t panel = bytes * 8 / (isSplitForDot(load) ? 16 : tile.getElementTypeBitWidth());
  if (indices.size() == view.getDims().size() && tile.getDimSize(1) % panel != 0)
    return load.emitOpError() << "has a tile " << tile << ": expected a multiple of " << panel
                              << " columns, which are " << bytes
                              << " bytes; use another tile, or pad the dimension";
  return success();
}

LogicalResult Place::checkTile(Operation *op, RankedTensorType tile) {
  if (!tile.hasStaticShape())
    return op->emitOpError() << "has a tile of unknown size " << tile
                             << ": expected trident-tile to run first";
  if (!tile.getElementType().isIntOrFloat())
    return op->emitOpError() << "has a tile of unknown type " << tile
                             << ": expected trident-specialize to run first";
  if (tile.getRank() != 1 && tile.getRank() != 2)
    return op->emitOpError() << "has a tile " << tile << ": expected one or two dimensions";
  if (auto load = dyn_cast<LoadOp>(op))
    if (failed(checkLoad(load)))
      return failure();
  if (tile.getRank() == 2 && tile.getDimSize(1) % columnStep != 0)
    return op->emitOpError() << "has a tile " << tile << ": expected a multiple of " << columnStep
                             << " columns";
  if (tile.getRank() == 1 && tile.getElementTypeBitWidth() == 16)
    return op->emitOpError() << "has a row vector " << tile << ": expected f32, i32 or i1";
  bool staysInMemory =
      isa<LoadOp>(op) && tile.getRank() == 2 &&
      llvm::all_of(op->getUsers(), [](Operation *user) { return isa<DotOp>(user); });
  int64_t rows = getOperation().getTarget()->getMmaRows() * warpgroups;
  if (tile.getDimSize(0) % rows != 0 && !staysInMemory)
    return op->emitOpError() << "has a tile " << tile << ": expected a multiple of " << rows
                             << " rows for " << warpgroups
                             << " warpgroups; use fewer warpgroups or larger tiles";
  return success();
}

LogicalResult Place::check() {
  KernelOp kernel = getOperation();
  if (!kernel.getSchedule() || !kernel.getTarget())
    return kernel.emitOpError()
           << "has no schedule and target: expected trident-select-schedule to run first";
  warpgroups = kernel.getSchedule()->getWarpgroups();
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type); tile && failed(checkTile(op, tile)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Element-wise uses of a loaded tile read it into registers.
LogicalResult Place::placeLoads() {
  SmallVector<LoadOp> loads;
  getOperation().walk([&](LoadOp load) { loads.push_back(load); });
  for (LoadOp load : loads) {
    if (load.getType().getRank() != 2)
      continue;
    SmallVector<OpOperand *> others;
    for (OpOperand &use : load.getResult().getUses())
      if (!isa<DotOp>(use.getOwner()))
        others.push_back(&use);
    if (others.empty())
      continue;
    if (isSplitForDot(load))
      return load.emitOpError()
             << "has a tile that '" << others.front()->getOwner()->getName()
             << "' reads beside a dot of precision \"bf16x3\", whose home is two "
                "rounded tiles: expected only such dots; load the tile again for "
                "other uses";
    Value registers =
        convertAfter(load.getResult(), AccumulatorAttr::get(&getContext(), warpgroups));
    for (OpOperand *use : others)
      use->set(registers);
  }
  return success();
}

/// An instruction contracts some elements at a time. Past the end of a depth that is no multiple of
/// them both operands are zeros where it is their columns, and other rows' elements where it is
/// not.
LogicalResult Place::checkDepth(DotOp dot) {
  int64_t step =
      getOperation().getTarget()->getMmaDepthBytes() * 8 /
      (dot.isSplit() ? 16 : getElementTypeOrSelf(dot.getA().getType()).getIntOrFloatBitWidth());
  int64_t depth = dot.getA().getType().getDimSize(dot.getTransposeA() ? 0 : 1);
  if (depth % step == 0)
    return success();
  for (auto [operand, name, isColumns] : {std::tuple(dot.getA(), 'a', !dot.getTransposeA()),
                                          std::tuple(dot.getB(), 'b', dot.getTransposeB())})
    if (!isColumns)
      return dot.emitOpError() << "operand '" << name << "' is " << operand.getType()
                               << ", of which it contracts the rows: expected a multiple of "
                               << step << ", the depth of one instruction";
  return success();
}

/// The first operand of a dot may come from registers; the second may not.
/// Reads operand `a` into registers in front of the loop, where it is the same in every step.
void Place::holdOperand(DotOp dot) {
  if (canHoldOperand(dot))
    dot.getAMutable().assign(
        convertAfter(dot.getA(), OperandAttr::get(&getContext(), warpgroups, /*pair=*/false)));
}

LogicalResult Place::placeOperands() {
  WalkResult result = getOperation().walk([&](DotOp dot) {
    if (failed(checkDepth(dot)))
      return WalkResult::interrupt();
    auto isShared = [](Value tile) {
      return isa<SharedAttr>(cast<RankedTensorType>(tile.getType()).getEncoding());
    };
    if (!isShared(dot.getB())) {
      dot.emitOpError()
          << "operand 'b' is computed in registers: expected a tile loaded from memory";
      return WalkResult::interrupt();
    }
    if (isShared(dot.getA())) {
      if (getOperation().getSchedule()->getHoldOperands())
        holdOperand(dot);
      return WalkResult::advance();
    }
    if (dot.getTransposeA()) {
      dot.emitOpError() << "operand 'a' is computed in registers and transposed: expected a tile "
                           "loaded from memory";
      return WalkResult::interrupt();
    }
    dot.getAMutable().assign(
        convertAfter(dot.getA(), OperandAttr::get(&getContext(), warpgroups, dot.isSplit())));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A running sum needs no lane but its own until somebody outside the loop reads it.
void Place::delaySums() {
  auto partial = RowAttr::get(&getContext(), warpgroups, /*partial=*/true);
  getOperation().walk([&](ForTilesOp loop) {
    auto yielded = cast<YieldOp>(loop.getBlock().getTerminator());
    for (auto [i, carried] : llvm::enumerate(loop.getCarried())) {
      if (!carried.hasOneUse())
        continue;
      auto step = dyn_cast<SoftmaxStepOp>(*carried.user_begin());
      if (!step || step.getL() != carried || yielded.getOperand(i) != step.getNewL() ||
          !step.getNewL().hasOneUse())
        continue;
      OpBuilder builder(loop);
      Value init = loop.getInits()[i];
      loop.getInitsMutable()[i].set(
          ConvertLayoutOp::create(builder, loop.getLoc(), withEncoding(init, partial), init));
      for (Value value : {Value(carried), Value(step.getNewL())})
        value.setType(withEncoding(value, partial));
      Value result = loop.getResult(i);
      Attribute whole = cast<RankedTensorType>(result.getType()).getEncoding();
      result.setType(withEncoding(result, partial));
      builder.setInsertionPointAfter(loop);
      auto sum =
          ConvertLayoutOp::create(builder, loop.getLoc(), withEncoding(result, whole), result);
      result.replaceAllUsesExcept(sum, sum);
    }
  });
}

void Place::runOnOperation() {
  if (failed(check()))
    return signalPassFailure();
  if (failed(placeLoads()))
    return signalPassFailure();
  getOperation().walk([&](Operation *op) {
    for (Value result : op->getResults())
      setLayout(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          setLayout(argument);
  });
  if (failed(placeOperands()))
    return signalPassFailure();
  delaySums();
}
