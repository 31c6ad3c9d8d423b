//===- Plan.h - From the IR to the launch plan -----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_COMPILER_PLAN_H
#define TRIDENT_COMPILER_PLAN_H

#include "trident/Target/Launcher/LaunchPlan.h"
#include "llvm/Support/Error.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace trident {

/// Reads the launch plan off a module after the stage `nvvm`: the interface of the kernel, and one
/// variant without images.
llvm::Expected<LaunchPlan> readLaunchPlan(mlir::ModuleOp module);

} // namespace trident

#endif // TRIDENT_COMPILER_PLAN_H
