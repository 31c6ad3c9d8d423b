//===- PipeDialect.td - the dialect that says how a kernel runs -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_PIPE_IR_PIPEDIALECT_TD
#define TRIDENT_DIALECT_PIPE_IR_PIPEDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Pipe_Dialect : Dialect {
  let name = "pipe";
  let cppNamespace = "::trident::pipe";
  let summary = "Says how a kernel runs: roles, rings of buffers, asynchronous copies and dots, waits and turns";
  let description = [{
    Still free of any target's spelling. An asynchronous operation yields an in-flight value (`!pipe.async`); `await` makes it
    readable. Tiles that come from memory travel through rings: circular buffers in shared memory whose slots are
    filled by a producer and released by consumers. Use number n of a ring of s stages is in slot n mod s, in
    phase (n / s) mod 2; the number is an ordinary i32, so a ring carries no state.
  }];
  let dependentDialects = ["::trident::TridentDialect"];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
  }];
}

class Pipe_Type<string name, string typeMnemonic> : TypeDef<Pipe_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Pipe_AsyncType : Pipe_Type<"Async", "async"> {
  let summary = "a tile that an asynchronous operation is still writing";
  let description = [{ Example: `!pipe.async<tensor<128x128xf32, #trident.accumulator<warpgroups = 2>>>` }];
  let parameters = (ins "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
}

def Pipe_RingType : Pipe_Type<"Ring", "ring"> {
  let summary = "a circular buffer of tiles in shared memory, with a full and an empty barrier a slot";
  let description = [{
    The tile has a `#trident.shared` layout.

    Example: `!pipe.ring<2 x tensor<128x128xbf16, #trident.shared<swizzle = 128>>>`
  }];
  let parameters = (ins "int64_t":$stages, "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $stages `x` $tile `>`";
  let extraClassDeclaration = [{
    /// Bytes of one slot.
    int64_t getSlotBytes() const {
      return ::llvm::cast<SharedAttr>(getTile().getEncoding()).getBytes(getTile());
    }
  }];
  let genVerifyDecl = 1;
}

#endif // TRIDENT_DIALECT_PIPE_IR_PIPEDIALECT_TD
