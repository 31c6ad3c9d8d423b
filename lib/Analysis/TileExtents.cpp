//===- TileExtents.cpp - how large a tile is under a schedule --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Analysis/TileExtents.h"

using namespace mlir;
using namespace trident;

int64_t TileExtents::of(StringAttr dim) const {
  if (auto extent = tiles.getAs<IntegerAttr>(dim))
    return extent.getInt();
  return kernel.getStaticExtent(dim.getValue()).value_or(0);
}

SmallVector<int64_t> TileExtents::of(Value tile) const {
  return llvm::map_to_vector(names.of(tile), [&](StringAttr dim) { return of(dim); });
}

bool trident::isLoadedForDot(Value value) {
  return value.getDefiningOp<LoadOp>() &&
         llvm::any_of(value.getUsers(), [](Operation *user) { return isa<DotOp>(user); });
}

bool trident::isSplitForDot(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    auto dot = dyn_cast<DotOp>(user);
    return dot && dot.isSplit();
  });
}

bool trident::isReadByElements(Value view) {
  return !view.use_empty() && llvm::all_of(view.getUsers(), [](Operation *user) {
    return user->hasTrait<ReadsElements>();
  });
}

bool trident::canHoldOperand(DotOp dot) {
  auto loop = dot->getParentOfType<ForTilesOp>();
  auto load = dot.getA().getDefiningOp<LoadOp>();
  return loop && load && !dot.getTransposeA() && !dot.isSplit() && !loop->isAncestor(load);
}

bool trident::isComputedForShared(OpOperand &operand) {
  auto dot = dyn_cast<DotOp>(operand.getOwner());
  if (!dot || operand.get().getDefiningOp<LoadOp>())
    return false;
  return operand.getOperandNumber() == 1 ||
         (operand.getOperandNumber() == 0 && dot.getTransposeA());
}
