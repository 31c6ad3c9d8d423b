//===- TridentDialect.td - the dialect that says what a kernel computes ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_TRIDENT_IR_TRIDENTDIALECT_TD
#define TRIDENT_DIALECT_TRIDENT_IR_TRIDENTDIALECT_TD

include "mlir/IR/OpBase.td"

def Trident_Dialect : Dialect {
  let name = "trident";
  let cppNamespace = "::trident";
  let summary = "Says what a kernel computes: tiles of named dimensions, dots, masks, online softmax";
  let description = [{
    A kernel reads tiles from views of global tensors, computes on them and writes tiles back. Tiles are builtin
    tensors, so `arith` and `math` apply to them unchanged. Every dimension of a view has a name; the same name in two
    arguments is the equality that the launcher checks before each call, and the extent that the verifier follows through the
    kernel. Nothing here knows a GPU until a schedule and a target are attached, and then only as attributes that
    later passes obey.

    Rules of an op carry a name (`dot.1`); the verifier, the rejected program in the tests and the diagnostics page
    use the same name.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

// An op that reads single elements of its views: their strides may be any.
def Trident_ReadsElements : NativeOpTrait<"ReadsElements"> {
  let cppNamespace = "::trident";
}

#endif // TRIDENT_DIALECT_TRIDENT_IR_TRIDENTDIALECT_TD
