//===- LastWaits.h - the waits of a part that runs beside the next one ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_DIALECT_PIPE_TRANSFORMS_LASTWAITS_H
#define TRIDENT_LIB_DIALECT_PIPE_TRANSFORMS_LASTWAITS_H

#include "mlir/IR/IRMapping.h"
#include "trident/Dialect/Pipe/IR/PipeDialect.h"
#include "llvm/ADT/SetVector.h"

namespace trident::pipe {

/// Clones `waits`, those for the dots of the part that finishes. The tiles from which `packs` make
/// the operands of the part that starts pass through the last wait; the operands of the dots in
/// flight, which are among `crossing`, are kept up to it.
inline void cloneLastWaits(mlir::OpBuilder &b, mlir::Location loc,
                           llvm::ArrayRef<mlir::Operation *> waits,
                           llvm::ArrayRef<mlir::Operation *> packs,
                           llvm::ArrayRef<mlir::Value> crossing, mlir::IRMapping &finishing,
                           mlir::IRMapping &starting) {
  llvm::SetVector<mlir::Value> through;
  for (mlir::Operation *op : packs)
    if (mlir::isa<ConvertOp, ConvertLayoutOp>(op) && starting.contains(op->getOperand(0)))
      through.insert(op->getOperand(0));
  for (mlir::Operation *op : waits) {
    auto await = mlir::cast<AwaitOp>(op);
    llvm::SmallVector<mlir::Value> keep, carry;
    llvm::SmallVector<mlir::Type> results{await.getResult().getType()};
    if (op == waits.back()) {
      for (mlir::Value value : crossing) {
        auto tile = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
        if (tile && mlir::isa_and_nonnull<OperandAttr>(tile.getEncoding()))
          keep.push_back(finishing.lookup(value));
      }
      for (mlir::Value value : through) {
        carry.push_back(starting.lookup(value));
        results.push_back(value.getType());
      }
    }
    auto wait =
        AwaitOp::create(b, loc, results, finishing.lookup(await.getAsync()), 0, keep, carry);
    finishing.map(await.getResult(), wait.getResult());
    for (auto [value, carried] : llvm::zip(through, wait.getCarried()))
      starting.map(value, carried);
  }
}

} // namespace trident::pipe

#endif // TRIDENT_LIB_DIALECT_PIPE_TRANSFORMS_LASTWAITS_H
