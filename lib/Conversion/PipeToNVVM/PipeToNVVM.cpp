//===- PipeToNVVM.cpp - write what one thread does, in the LLVM dialect ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"
#include "trident/Conversion/Passes.h"

namespace trident {
#define GEN_PASS_DEF_PIPETONVVM
#include "trident/Conversion/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {
struct PipeToNVVM : trident::impl::PipeToNVVMBase<PipeToNVVM> {
  void runOnOperation() override;
};
} // namespace

void PipeToNVVM::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<KernelOp> kernels(module.getOps<KernelOp>());
  if (kernels.size() != 1) {
    module.emitOpError() << "has " << kernels.size() << " kernels: expected one";
    return signalPassFailure();
  }
  KernelOp kernel = kernels.front();
  OpBuilder builder(kernel);
  auto function = Emitter(kernel, builder).emit();
  if (failed(function))
    return signalPassFailure();
  kernel.erase();

  LowerToLLVMOptions options(&getContext());
  LLVMTypeConverter converter(&getContext(), options);
  RewritePatternSet patterns(&getContext());
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(getContext());
  target.addIllegalDialect<arith::ArithDialect, math::MathDialect>();
  target.addLegalOp<ModuleOp>();
  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    signalPassFailure();
}
