// lse = log(sum over keys of exp(scale * q . k)), natural logarithm, and top = the largest score of each query. A query
// without a visible key gives -inf in both.
!T = !trident.param<"dtype">
!Q = !trident.view<in batch x seq_q x heads x head_dim : !T>
!K = !trident.view<in batch x seq_k x kv_heads x head_dim : !T>
!L = !trident.view<out batch x heads x seq_q : f32>
!qi = !trident.tile_index<"seq_q">    !kj = !trident.tile_index<"seq_k">
!half = tensor<?x?x!T>    !tile = tensor<?x?xf32>    !row = tensor<?xf32>
trident.kernel @score_lse
    parameters [#trident.parameter<"dtype", [bf16, f16], bf16>, #trident.parameter<"head_dim", [64, 128], 128>]
    requires [#trident.requires<"kv_heads" divides "heads">]
    (%q: !Q, %k: !K, %lse: !L, %top: !L, %scale: f32) {
  %b = trident.program "batch" : i32    %h = trident.program "heads" : i32    %i = trident.program "seq_q" : !qi
  %heads = trident.dim "heads" : i32    %kv_heads = trident.dim "kv_heads" : i32
  %group = arith.divui %heads, %kv_heads : i32    %hk = arith.divui %h, %group : i32
  %qt = trident.load %q[%b, %i, %h] : !Q[i32, !qi, i32] -> !half
  %c = trident.full %scale ["seq_q", "seq_k"] : f32 -> !tile
  %m0, %l0 = trident.softmax_start "seq_q" batch(%b) head(%h) : !row
  %m, %l = trident.for_tiles "seq_k" init(%m0, %l0 : !row, !row) {
  ^bb0(%j: !kj, %m1: !row, %l1: !row):
    %kt = trident.load %k[%b, %j, %hk] : !K[i32, !kj, i32] -> !half
    %s = trident.dot %qt, %kt transpose_b : !half, !half -> !tile
    %t = arith.mulf %s, %c : !tile
    %y = trident.apply_mods %t batch(%b) head(%h) at rows(%i : !qi) cols(%j : !kj) : !tile
    %x = trident.mask %y at rows(%i : !qi) cols(%j : !kj) : !tile {
    ^bb0(%row: i32, %col: i32):
      %true = arith.constant true
      trident.yield %true : i1
    }
    %p, %m2, %l2, %alpha = trident.softmax_step %x, %m1, %l1 : !tile, !row, !row -> !tile, !row, !row, !row
    trident.yield %m2, %l2 : !row, !row
  } -> !row, !row
  %log = math.log %l : !row    %sum = arith.addf %m, %log : !row
  trident.store %sum, %lse[%b, %h, %i] : !row, !L[i32, i32, !qi]
  trident.store %m, %top[%b, %h, %i] : !row, !L[i32, i32, !qi]
}
// RUN: trident-compile %s --set head_dim=64 --ptxas none -o %t
// RUN: FileCheck %s < %t/score_lse.h
// CHECK: lse = log(sum over keys of exp(scale * q . k)), natural logarithm, and top
// CHECK: lse (output) [batch, heads, seq_q] of f32
// CHECK: heads is a multiple of kv_heads.
