//===- Passes.h - passes on the trident dialect ---------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_TRIDENT_TRANSFORMS_PASSES_H
#define TRIDENT_DIALECT_TRIDENT_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"

namespace trident {

#define GEN_PASS_DECL
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"

/// What of a kernel `trident-apply-mods` has changed, as a condition of a table of schedules:
/// "functions" with "mask", without one "elements" (a function of scores reads memory at each row
/// and column) or "score", or "none".
std::pair<std::string, std::string> functionsApplied(KernelOp kernel);

} // namespace trident

#endif // TRIDENT_DIALECT_TRIDENT_TRANSFORMS_PASSES_H
