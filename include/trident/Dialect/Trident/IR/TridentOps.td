//===- TridentOps.td - the ops of the trident dialect ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_TRIDENT_IR_TRIDENTOPS_TD
#define TRIDENT_DIALECT_TRIDENT_IR_TRIDENTOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "trident/Dialect/Trident/IR/TridentAttributes.td"
include "trident/Dialect/Trident/IR/TridentTypes.td"

class Trident_Op<string name, list<Trait> traits = []> : Op<Trident_Dialect, name, traits>;

def Trident_Tile : TensorOf<[AnyType]>;
def Trident_Tile2D : TensorRankOf<[AnyType], [2]>;
def Trident_F32Tile : TensorOf<[F32]>;
def Trident_F32Tile2D : TensorRankOf<[F32], [2]>;
def Trident_F32Row : TensorRankOf<[F32], [1]>;
def Trident_AnyRow : TensorRankOf<[F32, I1], [1]>;
def Trident_AnyTile2D : TensorRankOf<[F32, I1], [2]>;
def Trident_Index : AnyTypeOf<[I32, Trident_TileIndexType]>;

def Trident_KernelOp : Trident_Op<"kernel", [IsolatedFromAbove, Symbol, SingleBlockImplicitTerminator<"ReturnOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a kernel: its parameters, its arguments, what a call must satisfy, and its body";
  let description = [{
    Arguments are views of global tensors, scalars (f32, i32) and extents. The parameters make variants; `variant` holds the chosen values
    once the kernel is specialised, `sequences` what `trident-apply-sequences` was told, and `source_types` what the arguments' types were before, `schedule` and `target` how and for what it is compiled. The grid is what the body's
    `program` ops name.

    Rules:
    - `kernel.1`: an argument is a view, f32, i32 or an extent, and a dimension has at most one extent;
    - `kernel.2`: two parameters, or two arguments, do not share a name;
    - `kernel.3`: a requirement names dimensions of the arguments;
    - `kernel.4`: the tile extents that meet in an op have the same dimension name (followed from `load`, `full` and `program`);
    - `kernel.5`: a dimension has at most one `program` op;
    - `kernel.6`: a parameter whose default is another's value comes after that one, and their values are of one kind.

    Example:
    ```mlir
    trident.kernel @copy parameters [#trident.parameter<"cols", [64, 128], 128>]
        (%x: !trident.view<in rows x cols : bf16>, %y: !trident.view<out rows x cols : bf16>) {
      %i = trident.program "rows" : !trident.tile_index<"rows">
      %t = trident.load %x[%i] : !trident.view<in rows x cols : bf16>[!trident.tile_index<"rows">] -> tensor<?x?xbf16>
      trident.store %t, %y[%i] : tensor<?x?xbf16>, !trident.view<out rows x cols : bf16>[!trident.tile_index<"rows">]
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$arg_names,
      OptionalAttr<ArrayAttr>:$parameters, OptionalAttr<ArrayAttr>:$requirements,
      OptionalAttr<ArrayAttr>:$sequences, OptionalAttr<DictionaryAttr>:$variant, OptionalAttr<TypeArrayAttr>:$source_types, OptionalAttr<ArrayAttr>:$contract,
      OptionalAttr<Trident_ScheduleAttr>:$schedule, OptionalAttr<Trident_TargetAttr>:$target,
      OptionalAttr<I64Attr>:$shared_bytes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`parameters` $parameters^)? (`requires` $requirements^)? (`sequences` $sequences^)? (`variant` $variant^)? (`source_types` $source_types^)?
    (`contract` $contract^)?
    (`schedule` $schedule^)? (`target` $target^)? (`shared_bytes` $shared_bytes^)? attr-dict-with-keyword
    custom<KernelBody>($arg_names, $body)
  }];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::llvm::ArrayRef<::mlir::BlockArgument> getArguments() { return getBlock().getArguments(); }
    ::llvm::StringRef getArgumentName(unsigned i);
    /// The declared parameter `name`, or null.
    ParameterAttr getParameter(::llvm::StringRef name);
    /// The value of parameter `name` in this variant, or null before the kernel is specialised.
    ::mlir::Attribute getParameterValue(::llvm::StringRef name);
    /// The extent of a dimension that is an integer parameter of a specialised kernel.
    std::optional<int64_t> getStaticExtent(::llvm::StringRef dim);
    /// The extent of a tile along `dim`: a static extent, or the schedule's tile.
    std::optional<int64_t> getTileExtent(::llvm::StringRef dim);
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Trident_ReturnOp : Trident_Op<"return", [Terminator, Pure, HasParent<"KernelOp">]> {
  let summary = "ends a kernel";
  let description = [{ Results leave a kernel through its `store` ops only. Example: `trident.return` }];
  let assemblyFormat = "attr-dict";
}

def Trident_ParamOp : Trident_Op<"param", [Pure]> {
  let summary = "the value of a parameter, or whether it has a given value";
  let description = [{
    Replaced by a constant in `trident-specialize`.

    Rules:
    - `param.1`: the kernel declares the parameter;
    - `param.2`: without `is` the parameter is an integer and the result i32; with `is` the value is allowed and the result i1.

    Example:
    ```mlir
    %top_left = trident.param "causal" is("top_left") : i1
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<AnyAttr>:$value);
  let results = (outs AnyTypeOf<[I1, I32]>:$result);
  let assemblyFormat = "$name (`is` `(` $value^ `)`)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Trident_DimOp : Trident_Op<"dim", [Pure]> {
  let summary = "the extent of a named dimension";
  let description = [{
    Rule `dim.1`: an argument of the kernel has a dimension of that name.

    Example:
    ```mlir
    %seq_k = trident.dim "seq_k" : i32
    ```
  }];
  let arguments = (ins StrAttr:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Trident_LengthOp : Trident_Op<"length", [Pure]> {
  let summary = "the extent that a dimension has in this program, where that is less than in the call";
  let description = [{
    `value`, but at least 0 and at most the dimension's extent. Loops over tiles of `dim`, masks and `sequence` views end there;
    the grid still has the tiles of the whole extent. Made by `trident-apply-sequences`.

    Rules:
    - `length.1`: an argument of the kernel has a dimension of that name;
    - `length.2`: a block has at most one `length` of a dimension.

    Example:
    ```mlir
    %length = trident.length "seq_k" %used : i32
    ```
  }];
  let arguments = (ins StrAttr:$dim, I32:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$dim $value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Trident_SequenceOp : Trident_Op<"sequence", [Pure]> {
  let summary = "one sequence of a view, as a view of its own";
  let description = [{
    Rows `begin` (0 when absent) to `begin + length` of one axis of `view` are the whole of dimension `dim` of the result: a load
    reads zeros outside them, a store writes nothing. They are inside the view: 0 <= `begin`, `begin + length` at most the
    axis's extent, and `length` at most the extent of `dim`.

    Rules:
    - `sequence.1`: the result has the dimensions of the view, but for one, which is `dim`;
    - `sequence.2`: the view is an argument of the kernel.

    Example:
    ```mlir
    %own = trident.sequence %k "seq_k" begin(%begin) length(%length) : !trident.view<in total_k x heads x head_dim : bf16>
        -> !trident.view<in seq_k x heads x head_dim : bf16>
    ```
    Becomes a tensor map with one dimension more, or addresses.
  }];
  let arguments = (ins Trident_ViewType:$view, StrAttr:$dim, Optional<I32>:$begin, I32:$length);
  let results = (outs Trident_ViewType:$result);
  let assemblyFormat = "$view $dim (`begin` `(` $begin^ `)`)? `length` `(` $length `)` attr-dict `:` type($view) `->` type($result)";
  let extraClassDeclaration = [{
    /// Which axis of the view the sequences lie along.
    unsigned getAxis() { return *getType().findAxis(getDim()); }
  }];
  let hasVerifier = 1;
}

def Trident_ProgramOp : Trident_Op<"program", [Pure]> {
  let summary = "which part of the grid this program is: a coordinate (i32) or a tile of a dimension";
  let description = [{
    The grid is the product over the kernel's `program` ops of a dimension's extent (i32) or number of tiles; the last op varies
    fastest unless the schedule groups.

    Rule `program.1`: an argument of the kernel has a dimension of that name, and a tile index names the same.

    Example:
    ```mlir
    %b = trident.program "batch" : i32
    %i = trident.program "seq_q" : !trident.tile_index<"seq_q">
    ```
  }];
  let arguments = (ins StrAttr:$dim);
  let results = (outs Trident_Index:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Trident_TileNumberOp : Trident_Op<"tile_number", [Pure]> {
  let summary = "a tile index as an integer";
  let description = [{
    Example:
    ```mlir
    %n = trident.tile_number %j : !trident.tile_index<"seq_k"> -> i32
    ```
  }];
  let arguments = (ins Trident_TileIndexType:$tile);
  let results = (outs I32:$result);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `->` type($result)";
}

def Trident_TileAtOp : Trident_Op<"tile_at", [Pure]> {
  let summary = "an integer as a tile index";
  let description = [{
    Example:
    ```mlir
    %j = trident.tile_at %n : i32 -> !trident.tile_index<"seq_k">
    ```
  }];
  let arguments = (ins I32:$number);
  let results = (outs Trident_TileIndexType:$result);
  let assemblyFormat = "$number attr-dict `:` type($number) `->` type($result)";
}

class Trident_AccessOp<string name, list<Trait> traits = []> : Trident_Op<name, traits> {
  code accessDeclaration = [{
    /// The name of each dimension of the tile, outermost first: the tiled ones, then those taken whole.
    ::llvm::SmallVector<::mlir::StringAttr> getTileDims();
  }];
}

def Trident_LoadOp : Trident_AccessOp<"load"> {
  let summary = "read a tile of a view";
  let description = [{
    One index for each dimension, outermost first: a tile index takes a tile of that dimension, an i32 one coordinate. Trailing
    dimensions without an index are taken whole; they must be integer parameters. Elements outside the view read as zero.

    Rules:
    - `load.1`: the view is `in`, its element type is the tile's, and its axes have no more elements than their dimensions;
    - `load.2`: a tile index has the name of the dimension it indexes; a dimension without an index is an integer parameter;
    - `load.3`: the tile has one dimension for each tile index and each dimension taken whole.

    Example:
    ```mlir
    %kt = trident.load %k[%b, %j, %h] : !View[i32, !trident.tile_index<"seq_k">, i32] -> tensor<?x?xbf16>
    ```
    Becomes `cp.async.bulk.tensor` into shared memory.
  }];
  let arguments = (ins Trident_ViewType:$view, Variadic<Trident_Index>:$indices);
  let results = (outs Trident_Tile:$result);
  let assemblyFormat = "$view `[` $indices `]` attr-dict `:` type($view) `[` type($indices) `]` `->` type($result)";
  let extraClassDeclaration = accessDeclaration;
  let hasVerifier = 1;
}

def Trident_StoreOp : Trident_AccessOp<"store"> {
  let summary = "write a tile of a view";
  let description = [{
    Indexed as `load`. Elements outside the view are not written. A store to an absent `optional_out` view does nothing.

    Rules:
    - `store.1`: the view is `out` or `optional_out`, and else as `load.1`;
    - `store.2`: as `load.2`;
    - `store.3`: as `load.3`.

    Example:
    ```mlir
    trident.store %ot, %o[%b, %i, %h] : tensor<?x?xbf16>, !View[i32, !trident.tile_index<"seq_q">, i32]
    ```
    Becomes predicated `st.global`.
  }];
  let arguments = (ins Trident_Tile:$tile, Trident_ViewType:$view, Variadic<Trident_Index>:$indices);
  let assemblyFormat = "$tile `,` $view `[` $indices `]` attr-dict `:` type($tile) `,` type($view) `[` type($indices) `]`";
  let extraClassDeclaration = accessDeclaration;
  let hasVerifier = 1;
}

def Trident_FullOp : Trident_Op<"full", [Pure]> {
  let summary = "a tile whose elements are all one scalar";
  let description = [{
    Rule `full.1`: one dimension name for each dimension of the tile.

    Example:
    ```mlir
    %zero = trident.full %c0 ["seq_q", "head_dim"] : f32 -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[F32, I32]>:$value, StrArrayAttr:$dims);
  let results = (outs Trident_Tile:$result);
  let assemblyFormat = "$value $dims attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Trident_DotOp : Trident_Op<"dot", [Pure]> {
  let summary = "matrix product of two tiles, accumulated in f32";
  let description = [{
    `a` is rows x depth, `b` depth x columns; `transpose_a`, `transpose_b`: the operand is stored the other way round. The
    accumulator, when given, is added to.

    `precision`: how operands become what the tensor cores multiply. `"input"`, and nothing, is as they are. With `"bf16x3"` each
    f32 operand x is the sum of two bf16, hi = round(x), at most the largest finite number, and lo = round(x - hi), and the product is
    hi(a) lo(b) + lo(a) hi(b) + hi(a) hi(b), all summed in f32. A parameter of the kernel may stand for it: `#trident.param<"precision">`.

    Rules:
    - `dot.1`: `a` and `b` have the same element type: a 16-bit or parametric one, or f32 with precision `"bf16x3"`;
    - `dot.2`: the depth of `a` is the depth of `b`;
    - `dot.3`: the result is rows of `a` x columns of `b`, f32, and so is the accumulator;
    - `dot.4`: the precision is `"input"` or `"bf16x3"`, or a parameter of the kernel that has no other values.

    Example:
    ```mlir
    %s = trident.dot %q, %k transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
    ```
    Becomes `wgmma.mma_async`.
  }];
  let arguments = (ins Trident_Tile2D:$a, Trident_Tile2D:$b, Optional<Trident_F32Tile2D>:$accumulator,
      UnitAttr:$transpose_a, UnitAttr:$transpose_b, OptionalAttr<AnyAttr>:$precision);
  let results = (outs Trident_F32Tile2D:$result);
  let assemblyFormat = [{
    $a `,` $b (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? (`precision` `(` $precision^ `)`)?
    (`into` $accumulator^ `:` type($accumulator) `,`)? attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// Each operand is multiplied as the sum of two bf16 tiles.
    bool isSplit();
  }];
  let hasVerifier = 1;
}

def Trident_Reduction : I32EnumAttr<"Reduction", "a row reduction", [
    I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Sum", 1, "sum">]> {
  let cppNamespace = "::trident";
  let genSpecializedAttr = 0;
}

def Trident_ReduceOp : Trident_Op<"reduce", [Pure]> {
  let summary = "reduce each row of a tile to one value";
  let description = [{
    Over the columns; `max` ignores NaN as `arith.maxnumf` does.

    Rule `reduce.1`: the result has the rows of the operand.

    Example:
    ```mlir
    %m = trident.reduce max %s : tensor<?x?xf32> -> tensor<?xf32>
    ```
  }];
  let arguments = (ins EnumAttr<Trident_Dialect, Trident_Reduction, "reduction">:$kind, Trident_F32Tile2D:$operand);
  let results = (outs Trident_F32Row:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Trident_BroadcastOp : Trident_Op<"broadcast", [Pure]> {
  let summary = "repeat one value a row along the columns";
  let description = [{
    Rule `broadcast.1`: the result has the rows and the element type (f32 or i1) of the operand; `dim` names its columns.

    Example:
    ```mlir
    %a = trident.broadcast %alpha along "head_dim" : tensor<?xf32> -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Trident_AnyRow:$operand, StrAttr:$dim);
  let results = (outs Trident_AnyTile2D:$result);
  let assemblyFormat = "$operand `along` $dim attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Trident_RescaleAddOp : Trident_Op<"rescale_add", [Pure, AllTypesMatch<["sum", "addend", "result"]>]> {
  let summary = "sum * factor + addend on row vectors, of which the sums may be partial";
  let description = [{
    Made of `softmax_step`. `sum` and `addend` may be partial (each lane of a row holds a share); the factor is whole, so it
    applies to every share.

    Rule `rescale_add.1`: the factor is not partial.

    Example:
    ```mlir
    %l1 = trident.rescale_add %l, %alpha, %s : tensor<128xf32, #partial>, tensor<128xf32, #row>
    ```
  }];
  let arguments = (ins Trident_F32Row:$sum, Trident_F32Row:$factor, Trident_F32Row:$addend);
  let results = (outs Trident_F32Row:$result);
  let assemblyFormat = "$sum `,` $factor `,` $addend attr-dict `:` type($result) `,` type($factor)";
  let hasVerifier = 1;
}

def Trident_NegateIfOp : Trident_Op<"negate_if", [Pure, TypesMatchWith<"the result has the operand's type", "operand", "result",
    "$_self">]> {
  let summary = "negate a tile when a condition that is the same for the whole program holds";
  let description = [{
    Made by `trident-fold-scale`: it lets a negative scale be folded into the exponential of an online softmax.

    Example:
    ```mlir
    %x = trident.negate_if %negative, %s : tensor<?x?xf32>
    ```
    Becomes a branch that no warp diverges at.
  }];
  let arguments = (ins I1:$condition, Trident_F32Tile2D:$operand);
  let results = (outs Trident_F32Tile2D:$result);
  let assemblyFormat = "$condition `,` $operand attr-dict `:` type($operand)";
}

def Trident_ConvertOp : Trident_Op<"convert", [Pure, SameOperandsAndResultShape]> {
  let summary = "change the element type of a tile, rounding to nearest even";
  let description = [{
    Between f32 and a 16-bit float type, or a parametric type that stands for one.

    Rule `convert.1`: exactly one side is f32.

    Example:
    ```mlir
    %pb = trident.convert %p : tensor<?x?xf32> -> tensor<?x?xbf16>
    ```
  }];
  let arguments = (ins Trident_Tile:$operand);
  let results = (outs Trident_Tile:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Trident_ConvertLayoutOp : Trident_Op<"convert_layout", [Pure, SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = "move a tile to another layout";
  let description = [{
    Inserted by `trident-place`; the encodings of the two types are the layouts.

    Example:
    ```mlir
    %a = trident.convert_layout %p : tensor<128x128xbf16, #acc> -> tensor<128x128xbf16, #operand>
    ```
  }];
  let arguments = (ins Trident_Tile:$operand);
  let results = (outs Trident_Tile:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

class Trident_CoordinateOp<string name> : Trident_Op<name, [Pure, AttrSizedOperandSegments,
    TypesMatchWith<"the result has the operand's type", "operand", "result", "$_self">, SingleBlockImplicitTerminator<"YieldOp">]> {
  let arguments = (ins Trident_F32Tile2D:$operand, Optional<Trident_TileIndexType>:$row_tile,
      Optional<Trident_TileIndexType>:$col_tile);
  let results = (outs Trident_F32Tile2D:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $operand `at` (`rows` `(` $row_tile^ `:` type($row_tile) `)`)? (`cols` `(` $col_tile^ `:` type($col_tile) `)`)? attr-dict
    `:` type($operand) custom<CoordinateBody>($body)
  }];
}

def Trident_MaskOp : Trident_CoordinateOp<"mask"> {
  let summary = "replace the elements whose coordinates a predicate rejects by -inf";
  let description = [{
    The region maps (row, column), both i32 coordinates in the whole dimension, to i1; it may use scalars defined outside. A
    tile that the predicate wholly rejects need not be computed, one that it wholly accepts is not masked: `trident-tile`
    decides by interval analysis, and `pipe-narrow` for the rows of each warpgroup. `rows`, `cols` name the tiles whose coordinates they are; a dimension without one starts
    at 0. Elements past the end of a tiled dimension count as rejected.

    Rule `mask.1`: the region takes two i32 and yields one i1.

    Example:
    ```mlir
    %x = trident.mask %s at rows(%i : !trident.tile_index<"seq_q">) cols(%j : !trident.tile_index<"seq_k">) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %visible = arith.cmpi sle, %col, %row : i32
      trident.yield %visible : i1
    }
    ```
    Becomes a compare and a select an element, in the tiles that need it.
  }];
  let hasVerifier = 1;
}

def Trident_ScoreOp : Trident_Op<"score", [Pure, AttrSizedOperandSegments,
    TypesMatchWith<"the result has the operand's type", "operand", "result", "$_self">, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "map each element and its coordinates to a new element";
  let description = [{
    The region maps (score: f32, row: i32, column: i32) to f32. For each tile of `with` it takes the element of the same place
    too, and for each row vector that of its row: f32, also where those of a tile are f16 or bf16. Where its ops allow it, `fastmath<reassoc>` on the
    `fma` of a column's number, a multiple of that number is counted from the lane's first column.

    Rules:
    - `score.1`: the region takes f32, i32, i32, an f32 for each operand of `with`, and yields one f32;
    - `score.2`: operands of `with` have the shape, or the rows, of the tile, and are f32, f16 or bf16, row vectors f32.

    Example:
    ```mlir
    %x = trident.score %s at rows(%i : !trident.tile_index<"seq_q">) cols(%j : !trident.tile_index<"seq_k">) : tensor<?x?xf32> {
    ^bb0(%score: f32, %row: i32, %col: i32):
      %t = math.tanh %score : f32
      trident.yield %t : f32
    }
    ```
  }];
  let arguments = (ins Trident_F32Tile2D:$operand, Optional<Trident_TileIndexType>:$row_tile,
      Optional<Trident_TileIndexType>:$col_tile, Variadic<Trident_Tile>:$others);
  let results = (outs Trident_F32Tile2D:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $operand (`with` `(` $others^ `:` type($others) `)`)? `at` (`rows` `(` $row_tile^ `:` type($row_tile) `)`)?
    (`cols` `(` $col_tile^ `:` type($col_tile) `)`)? attr-dict `:` type($operand) custom<CoordinateBody>($body)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$operand, "::mlir::Value":$row_tile,
      "::mlir::Value":$col_tile), "build($_builder, $_state, result, operand, row_tile, col_tile, ::mlir::ValueRange());">];
  let hasVerifier = 1;
}

def Trident_SoftmaxStepOp : Trident_Op<"softmax_step", [Pure]> {
  let summary = "one step of an online softmax: new maximum, weights, sum, and the factor of what was accumulated";
  let description = [{
    With t = factor * x (factor 1 when absent; it must not be negative), per row:

        m' = max(m, max over columns of t)      p = exp(t - m')      alpha = exp(m - m')      l' = l * alpha + sum of p

    m starts at -inf and l at 0. A row that has seen only -inf keeps m = -inf and l = 0, with p = 0. Any finite t is a real score,
    however small. Where a schedule has `rescale = "stale"`, m' may lag behind the maximum, by 8 ln 2 at the most, and all else is relative
    to it: m' + ln l' is not changed, m' alone is no maximum. The default is `always` where a kernel stores what is made of m' and not of l'.

    Rule `softmax_step.1`: `p` has the type of `x`; `m`, `l`, `alpha` have its rows.

    Example:
    ```mlir
    %p, %m1, %l1, %alpha = trident.softmax_step %x, %m, %l factor %c : tensor<?x?xf32>, tensor<?xf32>
    ```
    Source: Milakov and Gimelshein, Online normalizer calculation for softmax (2018).
  }];
  let arguments = (ins Trident_F32Tile2D:$x, Trident_F32Row:$m, Trident_F32Row:$l, Optional<F32>:$factor);
  let results = (outs Trident_F32Tile2D:$p, Trident_F32Row:$new_m, Trident_F32Row:$new_l, Trident_F32Row:$alpha);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $x `,` $m `,` $l (`factor` $factor^)? attr-dict `:` type($x) `,` type($m) `,` type($l) `->` type($p) `,` type($new_m) `,`
    type($new_l) `,` type($alpha)
  }];
}

def Trident_ForTilesOp : Trident_Op<"for_tiles", [AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "loop over the tiles of a dimension";
  let description = [{
    The body takes the tile's index and the carried values. At source the loop has no bounds: it visits every tile of `dim`.
    `trident-tile` gives it `bounds` b0 <= b1 <= ... <= bn and a class for each of the n segments [b(i), b(i+1)) of tiles: `full`
    (masks accept every element, and are not applied) or `partial`. Tiles outside [b0, bn) are not visited. `descending`:
    segments and tiles in falling order. `at_most`: how many tiles each segment can have, -1 where that is not known.

    Rules:
    - `for_tiles.1`: the body takes a tile index of `dim` and then values of the types of the initial ones;
    - `for_tiles.2`: it yields values of those types, which are the results';
    - `for_tiles.3`: with n classes there are n + 1 bounds, and n numbers of tiles if any.

    Example:
    ```mlir
    %acc = trident.for_tiles "seq_k" descending init(%zero : tensor<?x?xf32>) {
    ^bb0(%j: !trident.tile_index<"seq_k">, %sum: tensor<?x?xf32>):
      ...
      trident.yield %next : tensor<?x?xf32>
    } -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins StrAttr:$dim, Variadic<AnyType>:$inits, Variadic<I32>:$bounds, UnitAttr:$descending,
      OptionalAttr<StrArrayAttr>:$classes, OptionalAttr<DenseI64ArrayAttr>:$at_most);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $dim (`descending` $descending^)? (`bounds` `(` $bounds^ `)` `classes` $classes)? (`at_most` $at_most^)? (`init` `(` $inits^ `:` type($inits) `)`)?
    attr-dict-with-keyword custom<LoopBody>($body) (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::BlockArgument getTileIndex() { return getBlock().getArgument(0); }
    ::llvm::ArrayRef<::mlir::BlockArgument> getCarried() { return getBlock().getArguments().drop_front(); }
  }];
  let hasVerifier = 1;
}

def Trident_YieldOp : Trident_Op<"yield", [Terminator, Pure, ReturnLike]> {
  let summary = "ends the region of a loop, mask or score";
  let description = [{ Example: `trident.yield %visible : i1` }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
}

include "trident/Dialect/Trident/IR/TridentModOps.td"

#endif // TRIDENT_DIALECT_TRIDENT_IR_TRIDENTOPS_TD
