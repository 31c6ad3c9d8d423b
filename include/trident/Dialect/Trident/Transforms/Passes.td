//===- Passes.td - passes on the trident dialect --------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_TRIDENT_TRANSFORMS_PASSES_TD
#define TRIDENT_DIALECT_TRIDENT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplyMods : Pass<"trident-apply-mods", "::mlir::ModuleOp"> {
  let summary = "put a module's functions of scores and masks into its kernels";
  let description = [{
    Before: the module may have `score_mod`, `mask_mod` and `sink_mod` ops, and its kernels `apply_mods` and `softmax_start` ops.
    After: none are left. In the place of each `apply_mods` are `score` ops, one for each function in the order of the module, and then
    `mask` ops; a `softmax_start` is what the sink says. The functions' arguments and parameters follow those of the kernel. What depends on neither score, row nor column is computed before the
    loop.
  }];
}

def ApplySequences : Pass<"trident-apply-sequences", "::mlir::ModuleOp"> {
  let summary = "make a dimension of kernels that of one sequence, different in each program";
  let description = [{
    Before: the module may have `sequence_mod` ops. After: none are left. For each, every kernel finds out at its beginning where
    its program's sequence lies; `dim` of that dimension is the sequence's `length`, and each load and store of tiles goes to a
    `sequence` of its view. A view whose sequences are packed has lost a dimension. The functions' arguments follow those of the kernel,
    whose `sequences` say how a launcher can check what is in them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Specialize : Pass<"trident-specialize", "::trident::KernelOp"> {
  let summary = "turn every parameter of a kernel into a constant";
  let description = [{
    Before: types and ops may use the kernel's declared parameters. After: `variant` holds one value for each parameter, no
    `!trident.param` type and no `param` op is left, and code that the values make dead is gone. A parameter that `set` does not
    name takes its default. Dots have the precision that a parameter says, or none where operands are as they are; a way that is not
    for the operands' type is refused.
  }];
  let options = [ListOption<"set", "set", "std::string", "name=value, once for each parameter to choose">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InferContract : Pass<"trident-infer-contract", "::trident::KernelOp"> {
  let summary = "list all that a call of a kernel must satisfy";
  let description = [{
    Before: a specialised kernel. After: `contract` holds every check that a launcher makes, derived from the types and names in the
    signature and from `requires`; no other list exists.
  }];
}

def SelectSchedule : Pass<"trident-select-schedule", "::trident::KernelOp"> {
  let summary = "decide block sizes, roles and order, and write them on the kernel";
  let description = [{
    Before: a specialised kernel. After: it has one `#trident.schedule` and one `#trident.target`; nothing has moved. A schedule that is
    there already is kept; else the row of the built-in tables that is for calls of any size gives its fields, unless `tables` is
    false because the caller has looked them up, or `copies` is `threads`. `fields` override single fields. A schedule that the target cannot
    hold is refused with the arithmetic. With `copies` `threads` the contract no longer asks for contiguous axes, nor for more alignment than
    an element's.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "the GPU to compile for">,
                 Option<"tables", "tables", "bool", "true", "whether the built-in tables are looked up">,
                 ListOption<"fields", "fields", "std::string", "field=value of the schedule, tiles as seq_q=128">];
}

def Tile : Pass<"trident-tile", "::trident::KernelOp"> {
  let summary = "give every tile its size, and every loop the tiles it visits and which of them need masks";
  let description = [{
    Before: a scheduled kernel whose tiles have unknown extents. After: all tile shapes are static, each loop has bounds and
    classes: tiles that the masks reject are not visited, tiles that they accept wholly are `full`, the others, and a tail, are
    `partial`. A reduction along a loop's dimension whose tile no mask has cut is refused: it would take in what is past the end.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FoldScale : Pass<"trident-fold-scale", "::trident::KernelOp"> {
  let summary = "move a scalar factor of scores into the exponential of the online softmax";
  let description = [{
    Before: `softmax_step` of (a mask of) a tile that one scalar multiplies, or of a `score` that ends so. After: the multiplication is the
    step's `factor`, made positive; where the scalar is negative the tile is negated, and zero is replaced by the smallest normal number,
    so that a masked score stays -inf. Two scalars that multiply one after another, before a `score` and at its beginning, are one.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def ReadAhead : Pass<"trident-read-ahead", "::trident::KernelOp"> {
  let summary = "read what functions of scores take from memory, as tiles and before the scores are there";
  let description = [{
    Before: tiled loops whose `score` ops may read an `element` at each row and column. After: where neighbouring columns read neighbours
    along the view's last dimension, and nothing of the score says which, it is an `element_tile` at the beginning of the loop's step, whose
    tile the `score` takes.
  }];
}

def Place : Pass<"trident-place", "::trident::KernelOp"> {
  let summary = "give every tile a home and a layout";
  let description = [{
    Before: static tiles without layout. After: each tile's type has an encoding, `#trident.shared`, `#trident.accumulator`,
    `#trident.operand` or `#trident.row`, and every change of layout is a `convert_layout`. Operands of a dot of precision `"bf16x3"` are
    pairs.
  }];
}

#endif // TRIDENT_DIALECT_TRIDENT_TRANSFORMS_PASSES_TD
