//===- TridentModOps.td - score and mask functions in files of their own --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_TRIDENT_IR_TRIDENTMODOPS_TD
#define TRIDENT_DIALECT_TRIDENT_IR_TRIDENTMODOPS_TD

// Included by TridentOps.td, which has the classes of ops and the constraints of types.

class Trident_ModOp<string name> : Trident_Op<name, [IsolatedFromAbove, Symbol,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$arg_names, OptionalAttr<ArrayAttr>:$parameters);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`parameters` $parameters^)? attr-dict-with-keyword custom<ModBody>($arg_names, $body)
  }];
  code modDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The arguments of its own, which follow the coordinates.
    ::llvm::ArrayRef<::mlir::BlockArgument> getOwnArguments() { return getBlock().getArguments().drop_front(coordinates); }
    ::llvm::StringRef getOwnArgumentName(unsigned i) {
      return ::mlir::cast<::mlir::StringAttr>(getArgNames()[i + coordinates]).getValue();
    }
  }];
  let hasVerifier = 1;
}

def Trident_ScoreModOp : Trident_ModOp<"score_mod"> {
  let summary = "a function of scores, in a file of its own, that is applied where a kernel says";
  let description = [{
    Maps (score: f32, batch, head, row, column: i32) to a new score (f32). Further arguments, views that are read by `element`,
    f32 and i32, become arguments of the kernel that it is applied to, and its parameters parameters of that kernel.

    Rules:
    - `score_mod.1`: it takes f32, i32, i32, i32, i32 and then arguments that are `in` views, f32 or i32, and yields one f32;
    - `score_mod.2`: its body is arithmetic (`arith`, `math`), `element`, `dim` and `param`, without regions.

    Example:
    ```mlir
    trident.score_mod @alibi(%score: f32, %batch: i32, %head: i32, %row: i32, %col: i32, %slopes: !trident.view<in heads : f32>) {
      %slope = trident.element %slopes[%head] : !trident.view<in heads : f32> -> f32
      %distance = arith.subi %col, %row : i32
      %far = arith.sitofp %distance : i32 to f32
      %bias = arith.mulf %slope, %far : f32
      %sum = arith.addf %score, %bias : f32
      trident.yield %sum : f32
    }
    ```
    Becomes a `score` op.
  }];
  let extraClassDeclaration = "static constexpr unsigned coordinates = 5;" # modDeclaration;
}

def Trident_MaskModOp : Trident_ModOp<"mask_mod"> {
  let summary = "a predicate on coordinates, in a file of its own, that is applied where a kernel says";
  let description = [{
    Maps (batch, head, row, column: i32) to i1: whether the row sees the column. Further arguments and parameters as those of
    `score_mod`.

    Rules:
    - `mask_mod.1`: it takes i32, i32, i32, i32 and then arguments that are `in` views, f32 or i32, and yields one i1;
    - `mask_mod.2`: its body is arithmetic (`arith`, `math`), `element`, `dim` and `param`, without regions.

    Example:
    ```mlir
    trident.mask_mod @window(%batch: i32, %head: i32, %row: i32, %col: i32, %left: i32) {
      %distance = arith.subi %row, %col : i32
      %near = arith.cmpi sle, %distance, %left : i32
      trident.yield %near : i1
    }
    ```
    Becomes a `mask` op, which `trident-tile` analyses.
  }];
  let extraClassDeclaration = "static constexpr unsigned coordinates = 4;" # modDeclaration;
}

def Trident_SinkModOp : Trident_ModOp<"sink_mod"> {
  let summary = "a logit that joins the denominator of a softmax, in a file of its own";
  let description = [{
    Maps (batch, head: i32) to f32: one more logit for each row of that batch and head, which weighs no value. Further arguments and
    parameters as those of `score_mod`.

    Rules:
    - `sink_mod.1`: it takes i32, i32 and then arguments that are `in` views, f32 or i32, and yields one f32;
    - `sink_mod.2`: its body is arithmetic (`arith`, `math`), `element`, `dim` and `param`, without regions.

    Example:
    ```mlir
    trident.sink_mod @sink(%batch: i32, %head: i32, %sinks: !trident.view<in heads : f32>) {
      %logit = trident.element %sinks[%head] : !trident.view<in heads : f32> -> f32
      trident.yield %logit : f32
    }
    ```
    Becomes what an online softmax starts with.
  }];
  let extraClassDeclaration = "static constexpr unsigned coordinates = 2;" # modDeclaration;
}

def Trident_SequenceModOp : Trident_Op<"sequence_mod", [IsolatedFromAbove, Symbol,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "where the sequences of a dimension lie, in a file of its own";
  let description = [{
    The coordinates of dimension `by` number sequences, and the tiles of `dim` are those of one sequence. The body maps a
    sequence's number (i32) to its length (i32), or, with `in`, to its first row and its length along dimension `rows`, in which
    the rows of all sequences lie: the views that the kernel loads and stores by tiles then lose their dimension `by`, and
    `rows` takes the place of `dim`. `ordered`: a sequence does not begin before the ones with lower numbers end, which is a promise
    of the caller; programs are then counted by rows, not by the longest sequence. Further arguments, `in` views of i32, i32 and extents, become those of the kernel.

    Rules:
    - `sequence_mod.1`: it takes i32 and then arguments that are `in` views of i32, i32 or extents, and yields one i32, or two
      with `in`;
    - `sequence_mod.2`: its body is `arith` constants, addi, subi, muli, minsi, maxsi and signed cmpi of i32, select of such, and
      `element` of a view of one dimension: what the launcher can check on the host.

    Example:
    ```mlir
    trident.sequence_mod @used of "seq_k" by "batch" (%sequence: i32, %seqused_k: !trident.view<in batch : i32>) {
      %length = trident.element %seqused_k[%sequence] : !trident.view<in batch : i32> -> i32
      trident.yield %length : i32
    }
    ```
    Becomes a `length` op, and a `sequence` for each load and store.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$dim, StrAttr:$by, OptionalAttr<StrAttr>:$rows, UnitAttr:$ordered,
      StrArrayAttr:$arg_names);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `of` $dim `by` $by (`in` $rows^)? (`ordered` $ordered^)? attr-dict-with-keyword custom<ModBody>($arg_names, $body)
  }];
  let extraClassDeclaration = "static constexpr unsigned coordinates = 1;" # [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The arguments of its own, which follow the sequence's number.
    ::llvm::ArrayRef<::mlir::BlockArgument> getOwnArguments() { return getBlock().getArguments().drop_front(coordinates); }
    ::llvm::StringRef getOwnArgumentName(unsigned i) {
      return ::mlir::cast<::mlir::StringAttr>(getArgNames()[i + coordinates]).getValue();
    }
  }];
  let hasVerifier = 1;
}

def Trident_SoftmaxStartOp : Trident_Op<"softmax_start", [Pure, TypesMatchWith<"both results have one type", "m", "l", "$_self">]> {
  let summary = "the maximum and the sum that an online softmax starts with";
  let description = [{
    -inf and 0, or, where the module has a `sink_mod`, its logit and 1: as after a step that has seen that logit. `dim` names the
    rows. Replaced in `trident-apply-mods`.

    Rule `softmax_start.1`: `dim` is a dimension of an argument of the kernel.

    Example:
    ```mlir
    %m0, %l0 = trident.softmax_start "seq_q" batch(%b) head(%h) : tensor<?xf32>
    ```
  }];
  let arguments = (ins StrAttr:$dim, I32:$batch, I32:$head);
  let results = (outs Trident_F32Row:$m, Trident_F32Row:$l);
  let assemblyFormat = "$dim `batch` `(` $batch `)` `head` `(` $head `)` attr-dict `:` type($m)";
  let hasVerifier = 1;
}

def Trident_ApplyModsOp : Trident_Op<"apply_mods", [Pure, AttrSizedOperandSegments,
    TypesMatchWith<"the result has the operand's type", "operand", "result", "$_self">]> {
  let summary = "the place in a kernel where the module's score and mask functions are applied";
  let description = [{
    `trident-apply-mods` puts the `score_mod` ops of the module here, in their order, and then the `mask_mod` ops; without any it
    is its operand. `batch` and `head` are their first coordinates; rows and columns are those of the operand's elements in the
    whole dimension, as in `mask`.

    Rule `apply_mods.1`: `rows` and `cols` are different tiles.

    Example:
    ```mlir
    %x = trident.apply_mods %s batch(%b) head(%h) at rows(%i : !trident.tile_index<"seq_q">)
        cols(%j : !trident.tile_index<"seq_k">) : tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Trident_F32Tile2D:$operand, I32:$batch, I32:$head, Optional<Trident_TileIndexType>:$row_tile,
      Optional<Trident_TileIndexType>:$col_tile);
  let results = (outs Trident_F32Tile2D:$result);
  let assemblyFormat = [{
    $operand `batch` `(` $batch `)` `head` `(` $head `)` `at` (`rows` `(` $row_tile^ `:` type($row_tile) `)`)?
    (`cols` `(` $col_tile^ `:` type($col_tile) `)`)? attr-dict `:` type($operand)
  }];
  let hasVerifier = 1;
}

def Trident_ElementOp : Trident_Op<"element", [Pure, Trident_ReadsElements]> {
  let summary = "read one element of a view";
  let description = [{
    One i32 coordinate for each dimension, outermost first. An element outside the view reads as zero. f16 and bf16 elements
    become f32; an i1 element is one byte in memory, true where it is not 0. A view that only `element` ops read may have any
    strides, and in a call an extent of 1 where its dimension has more: the one element is then read for all coordinates. With
    `nondecreasing` no element of the view is less than the one before it along the last dimension. That is a promise of the
    caller, which nothing checks; a mask's loop then begins and ends where the first and the last row of a tile say.

    Rules:
    - `element.1`: the view is `in`, of f32, f16, bf16, a type parameter, i32 or i1;
    - `element.2`: there is one index for each dimension of the view;
    - `element.3`: the result is f32, or the view's integer type.

    Example:
    ```mlir
    %slope = trident.element %slopes[%h] : !trident.view<in heads : f32> -> f32
    ```
    Becomes a predicated `ld.global`.
  }];
  let arguments = (ins Trident_ViewType:$view, Variadic<I32>:$indices, UnitAttr:$nondecreasing);
  let results = (outs AnyTypeOf<[F32, I32, I1]>:$result);
  let assemblyFormat = "$view `[` $indices `]` (`nondecreasing` $nondecreasing^)? attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Trident_SearchOp : Trident_Op<"search", [Pure, Trident_ReadsElements]> {
  let summary = "find where elements that do not fall reach a value";
  let description = [{
    Of the first `among` elements along the view's last dimension, in groups of `step`, those groups are counted whose first element
    (`whole`: whose last) is less than the value (`through`: at most the value); the result is the number of elements in them.
    One i32 coordinate for each other dimension. No element is less than the one before it, which is a promise of the caller.

    Rules:
    - `search.1`: the view is `in`, of i32, without more elements along the last axis than its dimension has;
    - `search.2`: there is one index for each dimension of the view but the last.

    Example:
    ```mlir
    %end = trident.search %ids[%b] for %id through step 128 among %n : !trident.view<in batch x seq_k : i32>
    ```
    Becomes a loop in which each lane of a warp reads an element, and votes. Searches of one view that do not need each other share it: the
    lanes are divided among them, up to 32 searches.
  }];
  let arguments = (ins Trident_ViewType:$view, Variadic<I32>:$indices, I64:$value, I32:$among, I64Attr:$step, UnitAttr:$through,
      UnitAttr:$whole);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` `for` $value (`through` $through^)? (`whole` $whole^)? `step` $step `among` $among attr-dict `:` type($view)
  }];
  let hasVerifier = 1;
}

def Trident_ElementTileOp : Trident_Op<"element_tile", [Pure, Trident_ReadsElements, AttrSizedOperandSegments,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "read an element of a view for each element of a tile";
  let description = [{
    The region maps (row, column), as in `mask`, to the coordinates of an `element`. Neighbours along the columns are neighbours along
    the view's last dimension, so that they are read together where its elements lie one after another. Made by
    `trident-read-ahead`.

    Rules:
    - `element_tile.1`: the view is `in`, of f32, f16 or bf16, and the result has its elements;
    - `element_tile.2`: the region takes two i32 and yields one i32 for each dimension of the view;
    - `element_tile.3`: the last one is the column plus what does not depend on the column, as the others do not.

    Example:
    ```mlir
    %t = trident.element_tile %bias at rows(%i : !trident.tile_index<"seq_q">) cols(%j : !trident.tile_index<"seq_k">)
        : !trident.view<in seq_q x seq_k : bf16> -> tensor<128x128xbf16> {
    ^bb0(%row: i32, %col: i32):
      trident.yield %row, %col : i32, i32
    }
    ```
    Becomes an `ld.global` of two neighbours where their address allows that and the tile lies inside the view, else a predicated one for
    each element.
  }];
  let arguments = (ins Trident_ViewType:$view, Optional<Trident_TileIndexType>:$row_tile, Optional<Trident_TileIndexType>:$col_tile);
  let results = (outs Trident_Tile2D:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $view `at` (`rows` `(` $row_tile^ `:` type($row_tile) `)`)? (`cols` `(` $col_tile^ `:` type($col_tile) `)`)? attr-dict
    `:` type($view) `->` type($result) custom<CoordinateBody>($body)
  }];
  let extraClassDeclaration = [{
    /// True when these coordinates are as `element_tile.3` asks, for \p column of the region that computes them.
    static bool isAlongColumns(::mlir::ValueRange indices, ::mlir::BlockArgument column);
    /// How many times \p argument, of a region that yields coordinates, is added up in \p value; nullopt when it is used in another
    /// way.
    static std::optional<int64_t> countAdded(::mlir::Value value, ::mlir::BlockArgument argument);
  }];
  let hasVerifier = 1;
}

#endif // TRIDENT_DIALECT_TRIDENT_IR_TRIDENTMODOPS_TD
