//===- DeclareArguments.h - what functions take, as arguments of a kernel -===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_DIALECT_TRIDENT_TRANSFORMS_DECLAREARGUMENTS_H
#define TRIDENT_LIB_DIALECT_TRIDENT_TRANSFORMS_DECLAREARGUMENTS_H

#include "mlir/IR/IRMapping.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"

namespace trident {

/// Adds what the function \p mod takes to the arguments of \p kernel; \p arguments says what they
/// have become.
template <typename ModOp>
llvm::LogicalResult declareArguments(KernelOp kernel, ModOp mod, mlir::IRMapping &arguments) {
  llvm::SmallVector<mlir::Attribute> names(kernel.getArgNames().getValue());
  for (auto [i, argument] : llvm::enumerate(mod.getOwnArguments())) {
    auto name = mlir::StringAttr::get(kernel.getContext(), mod.getOwnArgumentName(i));
    if (llvm::is_contained(names, name))
      return mod.emitOpError() << "has argument '" << name.getValue() << "', but kernel '"
                               << kernel.getSymName()
                               << "' and what is applied to it before have one of that name: "
                                  "expected another name";
    names.push_back(name);
    arguments.map(argument, kernel.getBlock().addArgument(argument.getType(), argument.getLoc()));
  }
  kernel.setArgNamesAttr(mlir::ArrayAttr::get(kernel.getContext(), names));
  return mlir::success();
}

} // namespace trident

#endif // TRIDENT_LIB_DIALECT_TRIDENT_TRANSFORMS_DECLAREARGUMENTS_H
