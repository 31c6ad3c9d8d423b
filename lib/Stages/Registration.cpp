//===- Registration.cpp - The dialects and passes of the compiler ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "trident/Conversion/Passes.h"
#include "trident/Dialect/Pipe/Transforms/Passes.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"
#include "trident/Stages/Stages.h"
#include <mutex>

using namespace trident;

namespace trident {
void registerVerifyStagePass();
} // namespace trident

void trident::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<TridentDialect, pipe::PipeDialect, mlir::arith::ArithDialect,
                  mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  // These bring their dialects, whose own headers take half a minute to read.
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
}

void trident::registerPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerTridentTransformsPasses();
    pipe::registerPipeTransformsPasses();
    registerTridentConversionPasses();
    registerVerifyStagePass();
    mlir::registerCanonicalizerPass();
    mlir::registerCSEPass();
  });
}
