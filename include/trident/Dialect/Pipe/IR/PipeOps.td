//===- PipeOps.td - the ops of the pipe dialect ---------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_PIPE_IR_PIPEOPS_TD
#define TRIDENT_DIALECT_PIPE_IR_PIPEOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "trident/Dialect/Pipe/IR/PipeDialect.td"
include "trident/Dialect/Trident/IR/TridentTypes.td"

class Pipe_Op<string name, list<Trait> traits = []> : Op<Pipe_Dialect, name, traits>;

def Pipe_Index : AnyTypeOf<[I32, Trident_TileIndexType]>;
def Pipe_Tile : TensorOf<[AnyType]>;
def Pipe_Tile2D : TensorRankOf<[AnyType], [2]>;

def Pipe_CopyAsyncOp : Pipe_Op<"copy_async", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "start a copy of a tile of a view to shared memory";
  let description = [{
    Indexed as `trident.load`. `channel` names the ring that the tile will travel through: copies of one channel are made
    one after another.

    Rule `copy_async.1`: the tile has a `#trident.shared` layout and the view's element type.

    Example:
    ```mlir
    %f = pipe.copy_async 1, %k[%b, %j, %h] : !View[i32, !trident.tile_index<"seq_k">, i32] -> !pipe.async<tensor<...>>
    ```
  }];
  let arguments = (ins I64Attr:$channel, Trident_ViewType:$view, Variadic<Pipe_Index>:$indices);
  let results = (outs Pipe_AsyncType:$result);
  let assemblyFormat = "$channel `,` $view `[` $indices `]` attr-dict `:` type($view) `[` type($indices) `]` `->` type($result)";
  let hasVerifier = 1;
}

def Pipe_DotAsyncOp : Pipe_Op<"dot_async", [MemoryEffects<[MemRead]>]> {
  let summary = "start a matrix product";
  let description = [{
    As `trident.dot`; of operands that are pairs, the three products of its precision `"bf16x3"`. The operands, and the accumulator's
    registers, are in use until the result is awaited.

    Rules:
    - `dot_async.1`: `a` is in shared memory or an operand fragment, `b` in shared memory, both pairs or neither;
    - `dot_async.2`: the result is an accumulator fragment, and the accumulator has its type.

    Example:
    ```mlir
    %f = pipe.dot_async %p, %v into %acc : tensor<...>, : tensor<...>, tensor<...> -> !pipe.async<tensor<...>>
    ```
    Becomes `wgmma.fence`, a `wgmma.mma_async` for each step of the depth, and `wgmma.commit_group`.
  }];
  let arguments = (ins Pipe_Tile2D:$a, Pipe_Tile2D:$b, Optional<Pipe_Tile2D>:$accumulator, UnitAttr:$transpose_a,
      UnitAttr:$transpose_b);
  let results = (outs Pipe_AsyncType:$result);
  let assemblyFormat = [{
    $a `,` $b (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? (`into` $accumulator^ `:` type($accumulator) `,`)?
    attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Pipe_AwaitOp : Pipe_Op<"await", [MemoryEffects<[MemRead, MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "wait until an in-flight tile is readable";
  let description = [{
    For a dot, `pending` later dots may still be in flight. `keep` names fragments that those in flight until now were reading:
    their registers are owned up to here. `carry` passes tiles through the wait unchanged, so that no reader of the results can
    be moved above it.

    Rules:
    - `await.1`: the result is the tile of the operand;
    - `await.2`: one result of the same type for each carried tile.

    Example:
    ```mlir
    %s = pipe.await %f pending 1 : !pipe.async<tensor<...>> -> tensor<...>
    %o, %p1 = pipe.await %g keep(%a : tensor<...>) carry(%p : tensor<...>) : !pipe.async<tensor<...>> -> tensor<...>, tensor<...>
    ```
    Becomes `wgmma.wait_group`.
  }];
  let arguments = (ins Pipe_AsyncType:$async, DefaultValuedAttr<I64Attr, "0">:$pending, Variadic<Pipe_Tile>:$keep,
      Variadic<Pipe_Tile>:$carry);
  let results = (outs Pipe_Tile:$result, Variadic<Pipe_Tile>:$carried);
  let assemblyFormat = [{
    $async (`pending` $pending^)? (`keep` `(` $keep^ `:` type($keep) `)`)? (`carry` `(` $carry^ `:` type($carry) `)`)? attr-dict
    `:` type($async) `->` type(results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$async), [{
    build($_builder, $_state, {::llvm::cast<AsyncType>(async.getType()).getTile()}, async, 0, {}, {});
  }]>];
  let extraClassDeclaration = [{
    /// Dots of this block that are started after the awaited one and before the wait.
    int64_t countLaterDots();
  }];
  let hasVerifier = 1;
}

def Pipe_CopyElementsOp : Pipe_Op<"copy_elements", [MemoryEffects<[MemRead, MemWrite]>, Trident_ReadsElements,
    AttrSizedOperandSegments, SingleBlockImplicitTerminator<"::trident::YieldOp">]> {
  let summary = "start a copy of elements of a view to shared memory, each warp its own rows";
  let description = [{
    The elements that a `trident.element_tile` reads, which it has as its region. They are kept at `offset`, a row's elements one after
    another. Nothing but a warp's own order keeps this from the reads of the copy before.

    Rules:
    - `copy_elements.1`: the result is a tile of the view's elements in the layout #trident.accumulator, whose rows are multiples of 32
      bytes;
    - `copy_elements.2`: of the coordinates that the region yields the last one is the column, another one the row, plus what depends on
      neither, as the others do not.

    Example:
    ```mlir
    %f = pipe.copy_elements at 196720 %bias rows(%i : !trident.tile_index<"seq_q">) cols(%j : !trident.tile_index<"seq_k">)
        : !trident.view<in seq_q x seq_k : bf16> -> !pipe.async<tensor<...>> {
    ^bb0(%row: i32, %col: i32):
      trident.yield %row, %col : i32, i32
    }
    ```
    Becomes 16-byte `cp.async` where the warp's part lies inside the view, at addresses and strides that are multiples of 16 bytes; else
    the reads that `element_tile` becomes, and stores to shared memory.
  }];
  let arguments = (ins I64Attr:$offset, Trident_ViewType:$view, Optional<Trident_TileIndexType>:$row_tile,
      Optional<Trident_TileIndexType>:$col_tile);
  let results = (outs Pipe_AsyncType:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `at` $offset $view (`rows` `(` $row_tile^ `:` type($row_tile) `)`)? (`cols` `(` $col_tile^ `:` type($col_tile) `)`)?
    attr-dict `:` type($view) `->` type($result) custom<WorkBody>($body)
  }];
  let extraClassDeclaration = [{
    /// Bytes from one row to the next of a tile of \p type: as many as let eight rows be read without conflicts of banks.
    static int64_t pitchOf(::mlir::RankedTensorType type);
    /// True when rows and columns of \p body, a region that yields coordinates, are as `copy_elements.2` asks; then \p rowAxis is the
    /// coordinate that is the row.
    static bool isAlongRows(::mlir::Region &body, unsigned &rowAxis);
  }];
  let hasVerifier = 1;
}

def Pipe_ReadElementsOp : Pipe_Op<"read_elements", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "read elements from shared memory once their copy is complete";
  let description = [{
    Rule `read_elements.1`: the result is the tile of the operand.

    Example:
    ```mlir
    %t = pipe.read_elements %f at 196720 : !pipe.async<tensor<...>> -> tensor<...>
    ```
    Becomes `cp.async.wait_all` and `ldmatrix`, of f32 `ld.shared`.
  }];
  let arguments = (ins Pipe_AsyncType:$async, I64Attr:$offset);
  let results = (outs Pipe_Tile2D:$result);
  let assemblyFormat = "$async `at` $offset attr-dict `:` type($async) `->` type($result)";
  let hasVerifier = 1;
}

def Pipe_RingOp : Pipe_Op<"ring", [Pure]> {
  let summary = "a circular buffer of tiles";
  let description = [{
    `pipe-allocate-shared-memory` sets `offset`, of slot 0, and `barriers`, of the full barrier of slot 0; the other slots and the
    other full barriers follow, then the empty ones.

    Example:
    ```mlir
    %ring = pipe.ring : !pipe.ring<2 x tensor<128x128xbf16, #trident.shared<swizzle = 128>>>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset, OptionalAttr<I64Attr>:$barriers);
  let results = (outs Pipe_RingType:$result);
  let assemblyFormat = "(`at` $offset^)? (`barriers` $barriers^)? attr-dict `:` type($result)";
}

def Pipe_ProduceOp : Pipe_Op<"produce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy a tile into a slot of a ring once the slot is empty";
  let description = [{
    Example:
    ```mlir
    pipe.produce %ring[%n], %k[%b, %j, %h] : !pipe.ring<...>, !View[i32, !trident.tile_index<"seq_k">, i32]
    ```
    Becomes a wait for the empty barrier, `mbarrier.arrive.expect_tx` and a `cp.async.bulk.tensor` for each panel. Of a ring of pairs:
    the producer's threads read global memory, wait, round, write both tiles, and after `fence.proxy.async` one of each warp arrives.
  }];
  let arguments = (ins Pipe_RingType:$ring, I32:$use, Trident_ViewType:$view, Variadic<Pipe_Index>:$indices);
  let assemblyFormat = [{
    $ring `[` $use `]` `,` $view `[` $indices `]` attr-dict `:` type($ring) `,` type($view) `[` type($indices) `]`
  }];
}

def Pipe_ConsumeOp : Pipe_Op<"consume", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the tile in a slot of a ring, once it is full";
  let description = [{
    `past`: as many slots before this one are given back unread, each when it is full; fewer than the ring has, or the
    producer would wait for ever.

    Rule `consume.1`: the result is a tile of the ring.

    Example:
    ```mlir
    %kt = pipe.consume %ring[%n] : !pipe.ring<...> -> tensor<...>
    %vt = pipe.consume %ring[%n] past %skipped : !pipe.ring<...> -> tensor<...>
    ```
    Becomes a wait for the full barrier.
  }];
  let arguments = (ins Pipe_RingType:$ring, I32:$use, Optional<I32>:$past);
  let results = (outs Pipe_Tile:$result);
  let assemblyFormat = "$ring `[` $use `]` (`past` $past^)? attr-dict `:` type($ring) `->` type($result)";
  let hasVerifier = 1;
}

def Pipe_ReleaseOp : Pipe_Op<"release", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "give a slot of a ring back to the producer";
  let description = [{
    Example:
    ```mlir
    pipe.release %ring[%n] : !pipe.ring<...>
    ```
    Becomes one `mbarrier.arrive` a warp.
  }];
  let arguments = (ins Pipe_RingType:$ring, I32:$use);
  let assemblyFormat = "$ring `[` $use `]` attr-dict `:` type($ring)";
}

def Pipe_RolesOp : Pipe_Op<"roles", [NoRegionArguments, SingleBlock, NoTerminator]> {
  let summary = "what the producer warpgroup and the consumer warpgroups do";
  let description = [{
    One warpgroup runs `producer` (one of its threads issues the copies, all make those of pairs), `warpgroups` run `consumer`, each on its share of the
    rows. `producer_registers`, `consumer_registers`: per thread, 0 leaves them alone.

    Example:
    ```mlir
    pipe.roles warpgroups 2 registers 24, 240 producer {
      ...
    } consumer {
      ...
    }
    ```
    Becomes a branch on the warpgroup, each side beginning with `setmaxnreg`.
  }];
  let arguments = (ins I64Attr:$warpgroups, I64Attr:$producer_registers, I64Attr:$consumer_registers);
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = [{
    `warpgroups` $warpgroups `registers` $producer_registers `,` $consumer_registers attr-dict
    `producer` $producer `consumer` $consumer
  }];
}

def Pipe_VoteExceedsOp : Pipe_Op<"vote_exceeds", [Pure]> {
  let summary = "whether x * slope + offset exceeds a limit anywhere in a warp's rows";
  let description = [{
    `offset` has one value a row. Rows of `or_rows` that are true count too. Where the comparison meets NaN it counts as exceeding.
    The result is the same for all lanes of a warp, and may differ between warps; no value crosses lanes to find it.

    Rule `vote_exceeds.1`: `offset` and `or_rows` have the rows of `x`.

    Example:
    ```mlir
    %any = pipe.vote_exceeds %x, %slope, %offset limit 8.0 : tensor<128x128xf32, #acc>, tensor<128xf32, #row>
    ```
    Becomes a maximum over the lane's elements, a comparison and `vote.sync.any`.
  }];
  let arguments = (ins TensorRankOf<[F32], [2]>:$x, F32:$slope, TensorRankOf<[F32], [1]>:$offset, F32Attr:$limit,
      Optional<TensorRankOf<[I1], [1]>>:$or_rows);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $x `,` $slope `,` $offset `limit` $limit (`or` $or_rows^ `:` type($or_rows) `,`)? attr-dict `:` type($x) `,` type($offset)
  }];
  let hasVerifier = 1;
}

def Pipe_VoteAnyOp : Pipe_Op<"vote_any", [Pure]> {
  let summary = "whether a condition holds for any row of a warp";
  let description = [{
    The result is the same for all lanes of a warp, and may differ between warps.

    Example:
    ```mlir
    %any = pipe.vote_any %large : tensor<128xi1, #trident.row<warpgroups = 2>>
    ```
    Becomes `vote.sync.any`.
  }];
  let arguments = (ins TensorRankOf<[I1], [1]>:$rows);
  let results = (outs I1:$result);
  let assemblyFormat = "$rows attr-dict `:` type($rows)";
}

def Pipe_IfOp : Pipe_Op<"if", [RecursiveMemoryEffects, NoRegionArguments, SingleBlock]> {
  let summary = "compute values where a warp's condition holds, else take given ones";
  let description = [{
    The condition is the same for all lanes of a warp, so no lane waits for another.

    Rule `if.1`: the region yields, and the results have, the types of the values taken otherwise.

    Example:
    ```mlir
    %o = pipe.if %any else(%acc : tensor<...>) {
      %scaled = arith.mulf %acc, %alpha : tensor<...>
      trident.yield %scaled : tensor<...>
    } -> tensor<...>
    ```
    Becomes a branch.
  }];
  let arguments = (ins I1:$condition, Variadic<AnyTypeOf<[Pipe_Tile, I1, F32]>>:$otherwise);
  let results = (outs Variadic<AnyTypeOf<[Pipe_Tile, I1, F32]>>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $condition `else` `(` $otherwise `:` type($otherwise) `)` $body attr-dict `->` type($results)
  }];
  let hasVerifier = 1;
}

def Pipe_ForWorkOp : Pipe_Op<"for_work", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "run the work items of a block, one after another";
  let description = [{
    Inside, `trident.program` is this item's. The carried values are i32: numbers of uses of rings so far. `balanced`: how many tiles
    an item visits depends on its own tile, so heavy and light items are mixed. `dynamic`: the producer finds out the next item and
    hands it to the consumers through shared memory, where `handover` is the byte offset of a full and an empty barrier and the
    item; `pipe-allocate-shared-memory` fills it in. Where the producer needs an i32 of a `trident.element` or `trident.search` that
    follows from the item alone, a warp of its own finds out items and such i32, and hands both roles an item with these behind it.

    Rule `for_work.1`: the body takes and yields as many i32 as there are initial ones.

    Example:
    ```mlir
    pipe.for_work init(%c0 : i32) {
    ^bb0(%uses: i32):
      ...
      trident.yield %next : i32
    }
    ```
    Becomes a loop in each role.
  }];
  let arguments = (ins Variadic<I32>:$inits, UnitAttr:$balanced, UnitAttr:$dynamic, OptionalAttr<I64Attr>:$handover);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`balanced` $balanced^)? (`dynamic` $dynamic^)? (`init` `(` $inits^ `:` type($inits) `)`)? attr-dict-with-keyword custom<WorkBody>($body)
  }];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
  }];
  let hasVerifier = 1;
}

def Pipe_SkewedWorkOp : Pipe_Op<"skewed_work", [RecursiveMemoryEffects]> {
  let summary = "run a block's work items, each beginning before the one before it ends";
  let description = [{
    `first` begins the block's first item. Then, until there are no more: `steps` runs the item's loop, and `next` ends it beside the
    beginning of the next item. `last` ends the last one. In `first` and `next`, `trident.program` is that of the item that begins. What a
    region yields the following one takes. `balanced`, `dynamic` and `handover` are as in `pipe.for_work`.

    Rules:
    - `skewed_work.1`: `first` takes the initial values;
    - `skewed_work.2`: `steps` takes what `first` and `next` yield;
    - `skewed_work.3`: `next` and `last` take what `steps` yields.

    Example:
    ```mlir
    pipe.skewed_work init(%c0 : i32) first {
    ^bb0(%uses: i32):
      trident.yield %p : tensor<...>
    } steps {
    ^bb0(%p: tensor<...>):
      trident.yield %o : tensor<...>
    } next {
    ^bb0(%o: tensor<...>):
      trident.yield %p : tensor<...>
    } last {
    ^bb0(%o: tensor<...>):
      trident.yield
    }
    ```
    Becomes a loop that is left in its middle.
  }];
  let arguments = (ins Variadic<I32>:$inits, UnitAttr:$balanced, UnitAttr:$dynamic, OptionalAttr<I64Attr>:$handover);
  let regions = (region SizedRegion<1>:$first, SizedRegion<1>:$steps, SizedRegion<1>:$next, SizedRegion<1>:$last);
  let assemblyFormat = [{
    (`balanced` $balanced^)? (`dynamic` $dynamic^)? (`init` `(` $inits^ `:` type($inits) `)`)? attr-dict-with-keyword
    `first` custom<WorkBody>($first) `steps` custom<WorkBody>($steps) `next` custom<WorkBody>($next) `last` custom<WorkBody>($last)
  }];
  let hasVerifier = 1;
}

def Pipe_SkipUnlessOp : Pipe_Op<"skip_unless", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "pass over a work item that has nothing to do";
  let description = [{
    Where the condition is false no role runs the item: the next one follows, or the program ends where there is one item a block. The
    condition is computed from `trident.program` by scalars in the same block.

    Example: `pipe.skip_unless %has_rows`

    Becomes a loop that finds the next item, or a branch to the end.
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

def Pipe_FindSequenceOp : Pipe_Op<"find_sequence", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "count programs by the rows of all sequences together";
  let description = [{
    Sequences, as many as `by` has coordinates, lie in this order along `rows`; that of this program begins at `begin`, which is computed
    from `trident.program` of `by` by scalars of the same block. There is not a program for each tile of `dim` and each
    coordinate of `by`, but for each whole tile of `rows`, and one more for each coordinate: sequence s has the numbers from
    begin(s) / tile + s on, which are at least as many as it has tiles. To which sequence a number belongs is found by bisection.

    Example: `pipe.find_sequence "seq_q" by "batch" in "total_q" begin(%begin)`
  }];
  let arguments = (ins StrAttr:$dim, StrAttr:$by, StrAttr:$rows, I32:$begin);
  let assemblyFormat = "$dim `by` $by `in` $rows `begin` `(` $begin `)` attr-dict";
}

def Pipe_WarpgroupOp : Pipe_Op<"warpgroup", [Pure]> {
  let summary = "the number of the consumer warpgroup that runs this";
  let description = [{
    From 0. Of n warpgroups, number w holds rows [w * r / n, (w + 1) * r / n) of a tile of r rows.

    Example: `%w = pipe.warpgroup : i32`
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Pipe_TurnWaitOp : Pipe_Op<"turn_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for this warpgroup's turn on the tensor cores";
  let description = [{ Example: `pipe.turn_wait`. Becomes `bar.sync` on a named barrier. }];
  let assemblyFormat = "attr-dict";
}

def Pipe_TurnPassOp : Pipe_Op<"turn_pass", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "give the turn to the next warpgroup";
  let description = [{ Example: `pipe.turn_pass`. Becomes `bar.arrive` on the next warpgroup's named barrier. }];
  let assemblyFormat = "attr-dict";
}

#endif // TRIDENT_DIALECT_PIPE_IR_PIPEOPS_TD
