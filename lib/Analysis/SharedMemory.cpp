//===- SharedMemory.cpp - how much shared memory a kernel's tiles need -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Analysis/SharedMemory.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace trident;

SmallVector<SharedBuffer> trident::listSharedBuffers(KernelOp kernel, const TileExtents &extents,
                                                     ScheduleAttr schedule, int64_t swizzleBytes) {
  SmallVector<SharedBuffer> buffers;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value tile : op->getResults()) {
      SharedBuffer buffer;
      if (isLoadedForDot(tile)) {
        BlockArgument argument = getViewArgument(cast<LoadOp>(op).getView());
        buffer.name = kernel.getArgumentName(argument.getArgNumber()).str();
        buffer.stages = schedule.getStagesOf(op->getParentOfType<ForTilesOp>() != nullptr);
      } else if (llvm::any_of(tile.getUses(), isComputedForShared)) {
        buffer.name = op->getName().getStringRef().str();
      } else {
        continue;
      }
      SmallVector<int64_t> shape = extents.of(tile);
      if (shape.size() != 2)
        continue;
      buffer.elementBytes = getElementTypeOrSelf(tile.getType()).getIntOrFloatBitWidth() / 8;
      buffer.rows = shape[0];
      // Of a split tile, whose pairs of elements have as many bytes, both halves are panels.
      int64_t panelBytes = isSplitForDot(tile) ? swizzleBytes * 2 : swizzleBytes;
      buffer.columns = llvm::alignTo(shape[1], panelBytes / buffer.elementBytes);
      buffers.push_back(buffer);
    }
  });
  return buffers;
}
