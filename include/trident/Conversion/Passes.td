//===- Passes.td - passes from one dialect to the next --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_CONVERSION_PASSES_TD
#define TRIDENT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def TridentToPipe : Pass<"trident-to-pipe", "::trident::KernelOp"> {
  let summary = "make loads and dots asynchronous, and spell out the online softmax";
  let description = [{
    Before: a placed kernel. After: loads of tiles are `pipe.copy_async`, dots `pipe.dot_async`, each with its `pipe.await`;
    `softmax_step` is row reductions and element-wise ops.
  }];
  let dependentDialects = ["::trident::pipe::PipeDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def PipeToNVVM : Pass<"pipe-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "write what one thread does, in the LLVM dialect";
  let description = [{
    Before: one kernel with roles and an allocation of shared memory. After: one `llvm.func` with the target's instructions; its
    `trident.interface` attribute holds what a launcher passes.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

#endif // TRIDENT_CONVERSION_PASSES_TD
