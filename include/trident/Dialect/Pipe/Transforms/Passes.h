//===- Passes.h - passes on the pipe dialect ------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_PIPE_TRANSFORMS_PASSES_H
#define TRIDENT_DIALECT_PIPE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "trident/Dialect/Pipe/IR/PipeDialect.h"

namespace trident::pipe {

#define GEN_PASS_DECL
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"

} // namespace trident::pipe

#endif // TRIDENT_DIALECT_PIPE_TRANSFORMS_PASSES_H
