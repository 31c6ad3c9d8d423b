//===- PipeDialect.cpp - registration and types ---------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Dialect/Pipe/IR/PipeDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

#include "trident/Dialect/Pipe/IR/PipeDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "trident/Dialect/Pipe/IR/PipeTypes.cpp.inc"

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stages,
                               RankedTensorType tile) {
  if (!isa_and_nonnull<SharedAttr>(tile.getEncoding()))
    return emitError() << "ring of " << tile << ": expected layout #trident.shared";
  return success();
}

void PipeDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "trident/Dialect/Pipe/IR/PipeOps.cpp.inc"
      >();
}

void PipeDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "trident/Dialect/Pipe/IR/PipeTypes.cpp.inc"
      >();
}
