//===- Precompiled.h - The headers of MLIR that most of the compiler reads ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Parsing headers is most of the time of a build, so these are parsed once. A source still includes
// what it uses: the tree must build without this file. Nothing of LLVM's code generator and nothing
// of the NVVM and LLVM dialects belongs here; they cost more than all of these together and few
// files need them.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_CMAKE_PRECOMPILED_H
#define TRIDENT_LIB_CMAKE_PRECOMPILED_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

#endif // TRIDENT_LIB_CMAKE_PRECOMPILED_H
