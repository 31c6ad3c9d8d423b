//===- ReadSource.h - A kernel and what is applied to it -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_COMPILER_READSOURCE_H
#define TRIDENT_LIB_COMPILER_READSOURCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "trident/Compiler/Compiler.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace trident {

/// Parses the source of `options` and checks that it is as stage `from` promises. The functions of
/// scores and masks follow the kernel in the module: scores first, each in the order given. Null
/// when something is wrong, which is then a diagnostic of the context.
mlir::OwningOpRef<mlir::ModuleOp> readSource(const CompileOptions &options,
                                             mlir::MLIRContext &context);

/// The texts that diagnostics quote.
void addSources(const CompileOptions &options, llvm::SourceMgr &sources);

} // namespace trident

#endif // TRIDENT_LIB_COMPILER_READSOURCE_H
