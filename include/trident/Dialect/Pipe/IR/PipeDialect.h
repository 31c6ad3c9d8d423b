//===- PipeDialect.h - the dialect that says how a kernel runs ------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_PIPE_IR_PIPEDIALECT_H
#define TRIDENT_DIALECT_PIPE_IR_PIPEDIALECT_H

#include "trident/Dialect/Trident/IR/TridentDialect.h"

#include "trident/Dialect/Pipe/IR/PipeDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "trident/Dialect/Pipe/IR/PipeTypes.h.inc"

#define GET_OP_CLASSES
#include "trident/Dialect/Pipe/IR/PipeOps.h.inc"

#endif // TRIDENT_DIALECT_PIPE_IR_PIPEDIALECT_H
