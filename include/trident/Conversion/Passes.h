//===- Passes.h - passes from one dialect to the next ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_CONVERSION_PASSES_H
#define TRIDENT_CONVERSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"

namespace trident {

#define GEN_PASS_DECL
#include "trident/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trident/Conversion/Passes.h.inc"

} // namespace trident

#endif // TRIDENT_CONVERSION_PASSES_H
