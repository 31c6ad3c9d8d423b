//===- TridentDialect.h - the dialect that says what a kernel computes ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_TRIDENT_IR_TRIDENTDIALECT_H
#define TRIDENT_DIALECT_TRIDENT_IR_TRIDENTDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

#include "trident/Dialect/Trident/IR/TridentEnums.h.inc"

#include "trident/Dialect/Trident/IR/TridentDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "trident/Dialect/Trident/IR/TridentAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "trident/Dialect/Trident/IR/TridentTypes.h.inc"

namespace trident {

/// An op that reads single elements of its views: their strides may be any.
template <typename Op> class ReadsElements : public mlir::OpTrait::TraitBase<Op, ReadsElements> {};

} // namespace trident

#define GET_OP_CLASSES
#include "trident/Dialect/Trident/IR/TridentOps.h.inc"

namespace trident {

/// That an argument of the kernel of `op` has a dimension `dim`; what is in no kernel has all.
llvm::LogicalResult verifyDimension(mlir::Operation *op, llvm::StringRef dim);

/// The argument of the kernel that a view is, or is a sequence of.
mlir::BlockArgument getViewArgument(mlir::Value view);

/// What reads and writes \p view and its sequences.
llvm::SmallVector<mlir::Operation *> getViewUsers(mlir::Value view);

/// The `length` of dimension \p dim that holds where \p op is, or null: then it is the call's
/// extent.
mlir::Value findLength(mlir::Operation *op, llvm::StringRef dim);

/// Follows dimension names through a kernel's body by dataflow: a name for each dimension of each
/// tile, empty where nothing determines it.
class DimensionNames {
public:
  explicit DimensionNames(KernelOp kernel);

  /// The names of the dimensions of `tile`, outermost first; an empty string is unknown.
  llvm::ArrayRef<mlir::StringAttr> of(mlir::Value tile) const;

  /// Where two different names meet (rule kernel.4): the operation and what to say, or null when
  /// nowhere.
  mlir::Operation *conflict = nullptr;
  std::string conflictMessage;

private:
  void visit(mlir::Block &block);
  void set(mlir::Value tile, llvm::ArrayRef<mlir::StringAttr> names);
  void meet(mlir::Operation *op, mlir::Value a, unsigned dimA, mlir::Value b, unsigned dimB);
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::StringAttr, 2>> names;
};

} // namespace trident

#endif // TRIDENT_DIALECT_TRIDENT_IR_TRIDENTDIALECT_H
