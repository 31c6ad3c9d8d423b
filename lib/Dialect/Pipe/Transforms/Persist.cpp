//===- Persist.cpp - let a block run many work items ----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Dialect/Pipe/Transforms/Passes.h"

namespace trident::pipe {
#define GEN_PASS_DEF_PERSIST
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct Persist : trident::pipe::impl::PersistBase<Persist> {
  void runOnOperation() override;
};
} // namespace

/// True for a scalar that is the same for all items. Operations are asked in order: what depends on
/// an item has left the kernel's block.
static bool isCommonToItems(Operation *op) {
  auto isScalar = [](Type type) { return type.isIntOrFloat(); };
  return !isa<ProgramOp>(op) && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(), isScalar) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isScalar(operand.getType()) && operand.getParentBlock() == op->getBlock();
         });
}

/// True when \p value is computed from \p source within \p block.
static bool isComputedFrom(Value value, Value source, Block &block) {
  Operation *op = value.getDefiningOp();
  return value == source ||
         (op && op->getBlock() == &block && llvm::any_of(op->getOperands(), [&](Value operand) {
            return isComputedFrom(operand, source, block);
          }));
}

/// True when how many tiles a loop visits depends on the item's own tile.
static bool dependsOnTile(Block &item) {
  for (auto program : item.getOps<ProgramOp>())
    for (auto loop : item.getOps<ForTilesOp>())
      if (isa<TileIndexType>(program.getType()) && llvm::any_of(loop.getBounds(), [&](Value bound) {
            return isComputedFrom(bound, program, item);
          }))
        return true;
  return false;
}

void Persist::runOnOperation() {
  KernelOp kernel = getOperation();
  if (!kernel.getSchedule() || !kernel.getSchedule()->getPersistent())
    return;
  if (kernel.getBlock().getOps<ProgramOp>().empty()) {
    kernel.emitOpError() << "is persistent and has no 'trident.program': expected a grid of items";
    return signalPassFailure();
  }
  SmallVector<Operation *> body = llvm::map_to_vector(kernel.getBlock().without_terminator(),
                                                      [](Operation &op) { return &op; });
  OpBuilder b(kernel.getBlock().getTerminator());
  auto work = ForWorkOp::create(b, kernel.getLoc(), ValueRange(), /*balanced=*/false,
                                kernel.getSchedule()->getDynamic(), /*handover=*/IntegerAttr());
  Block *item = b.createBlock(&work.getBody());
  for (Operation *op : body)
    if (!isCommonToItems(op))
      op->moveBefore(item, item->end());
  work.setBalanced(dependsOnTile(*item));
  b.setInsertionPointToEnd(item);
  YieldOp::create(b, kernel.getLoc());
}
