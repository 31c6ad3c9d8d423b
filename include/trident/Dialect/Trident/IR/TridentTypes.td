//===- TridentTypes.td - views, tile indices and parametric types ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_TRIDENT_IR_TRIDENTTYPES_TD
#define TRIDENT_DIALECT_TRIDENT_IR_TRIDENTTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "trident/Dialect/Trident/IR/TridentDialect.td"

class Trident_Type<string name, string typeMnemonic> : TypeDef<Trident_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Trident_Access : I32EnumAttr<"Access", "how a kernel uses a view", [
    I32EnumAttrCase<"In", 0, "in">, I32EnumAttrCase<"Out", 1, "out">,
    I32EnumAttrCase<"OptionalOut", 2, "optional_out">]> {
  let cppNamespace = "::trident";
  let genSpecializedAttr = 0;
}

def Trident_ViewType : Trident_Type<"View", "view"> {
  let summary = "a global tensor whose dimensions have names";
  let description = [{
    Outermost dimension first. A dimension with the name of an integer parameter has that parameter's value as its
    extent. The caller gives the strides; only the innermost dimension must be contiguous. An `optional_out` view may be
    null in a call: its stores then do nothing. An axis may have some elements more than its dimension's extent: where each
    of `batch` sequences begins, and where the last one ends, are `batch + 1` numbers.

    Examples: `!trident.view<in batch x seq_q x heads x head_dim : bf16>`, `!trident.view<in batch + 1 : i32>`
  }];
  let parameters = (ins "Access":$access, ArrayRefParameter<"::mlir::StringAttr">:$dims, "::mlir::Type":$elementType,
      OptionalArrayRefParameter<"int64_t">:$extras);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getDims().size(); }
    ::llvm::StringRef getDim(unsigned i) const { return getDims()[i].getValue(); }
    /// How many elements more than the extent of its dimension axis \p i has.
    int64_t getExtra(unsigned i) const { return getExtras().empty() ? 0 : getExtras()[i]; }
    /// The first axis of dimension \p dim, or nullopt.
    std::optional<unsigned> findAxis(::llvm::StringRef dim) const;
  }];
}

def Trident_ExtentType : Trident_Type<"Extent", "extent"> {
  let summary = "the extent of a named dimension, given by the caller as a number";
  let description = [{
    An argument of a kernel: i32, at least 0. For a dimension that no tensor has, such as the rows of the longest of packed
    sequences; a tensor that has it too must have that extent.

    Example: `!trident.extent<"seq_q">`
  }];
  let parameters = (ins "::mlir::StringAttr":$dim);
  let assemblyFormat = "`<` $dim `>`";
}

def Trident_ParamType : Trident_Type<"Param", "param"> {
  let summary = "the element type that a type parameter stands for";
  let description = [{
    Present only before `trident-specialize`. Only `load`, `store`, `dot` and `convert` take tiles of it: arithmetic is
    done in f32.

    Example: `tensor<?x?x!trident.param<"dtype">>`
  }];
  let parameters = (ins "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $name `>`";
}

def Trident_TileIndexType : Trident_Type<"TileIndex", "tile_index"> {
  let summary = "the number of a tile along a named dimension";
  let description = [{
    Made by `program` and `for_tiles`, used by `load` and `store`: a tile of dimension `seq_q` cannot be read at a tile
    number of `seq_k`.

    Example: `!trident.tile_index<"seq_q">`
  }];
  let parameters = (ins "::mlir::StringAttr":$dim);
  let assemblyFormat = "`<` $dim `>`";
}

#endif // TRIDENT_DIALECT_TRIDENT_IR_TRIDENTTYPES_TD
