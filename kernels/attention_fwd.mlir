// O = softmax(scale * Q K^T) V and, when asked for, LSE = log(sum(exp(scale * Q K^T))), natural logarithm.
// Grouped-query attention: heads / kv_heads query heads share a key and value head. A row without a visible key gives
// O = 0 and LSE = -inf. Causal: key column c is visible to query row r when c <= r (top_left) or when
// c <= r + seq_k - seq_q (bottom_right).
!T = !trident.param<"dtype">
!Q = !trident.view<in batch x seq_q x heads x head_dim : !T>
!K = !trident.view<in batch x seq_k x kv_heads x head_dim : !T>
!V = !trident.view<in batch x seq_k x kv_heads x head_dim_v : !T>
!O = !trident.view<out batch x seq_q x heads x head_dim_v : !T>
!L = !trident.view<optional_out batch x heads x seq_q : f32>
!qi = !trident.tile_index<"seq_q">    !kj = !trident.tile_index<"seq_k">
!half = tensor<?x?x!T>    !tile = tensor<?x?xf32>    !row = tensor<?xf32>
trident.kernel @attention_fwd
    parameters [#trident.parameter<"dtype", [bf16, f16, f32], bf16>, #trident.parameter<"head_dim", 8 to 256 step 8, 128>,
                #trident.parameter<"head_dim_v", 8 to 256 step 8, #trident.param<"head_dim">>,
                #trident.parameter<"precision", ["input", "bf16x3"], "input", fixed>,
                #trident.parameter<"causal", ["none", "top_left", "bottom_right"], "none">]
    requires [#trident.requires<"kv_heads" divides "heads">]
    (%q: !Q, %k: !K, %v: !V, %o: !O, %lse: !L, %scale: f32) {
  %b = trident.program "batch" : i32    %h = trident.program "heads" : i32    %i = trident.program "seq_q" : !qi
  %heads = trident.dim "heads" : i32    %kv_heads = trident.dim "kv_heads" : i32
  %group = arith.divui %heads, %kv_heads : i32    %hk = arith.divui %h, %group : i32
  %top_left = trident.param "causal" is("top_left") : i1    %causal_off = trident.param "causal" is("none") : i1
  %seq_q = trident.dim "seq_q" : i32    %seq_k = trident.dim "seq_k" : i32
  %c0 = arith.constant 0 : i32    %shift = arith.subi %seq_k, %seq_q : i32
  %diagonal = arith.select %top_left, %c0, %shift : i32
  %zero = arith.constant 0.0 : f32    %c1 = arith.constant 1.0 : f32    %none = trident.full %zero ["seq_q"] : f32 -> !row
  %qt = trident.load %q[%b, %i, %h] : !Q[i32, !qi, i32] -> !half
  %c = trident.full %scale ["seq_q", "seq_k"] : f32 -> !tile
  %acc0 = trident.full %zero ["seq_q", "head_dim_v"] : f32 -> !tile
  %m0, %l0 = trident.softmax_start "seq_q" batch(%b) head(%h) : !row
  %acc, %m, %l = trident.for_tiles "seq_k" descending init(%acc0, %m0, %l0 : !tile, !row, !row) {
  ^bb0(%j: !kj, %acc1: !tile, %m1: !row, %l1: !row):
    %kt = trident.load %k[%b, %j, %hk] : !K[i32, !kj, i32] -> !half
    %s = trident.dot %qt, %kt transpose_b precision(#trident.param<"precision">) : !half, !half -> !tile
    %t = arith.mulf %s, %c : !tile
    %y = trident.apply_mods %t batch(%b) head(%h) at rows(%i : !qi) cols(%j : !kj) : !tile
    %x = trident.mask %y at rows(%i : !qi) cols(%j : !kj) : !tile {
    ^bb0(%row: i32, %col: i32):
      %last = arith.addi %row, %diagonal : i32
      %below = arith.cmpi sle, %col, %last : i32
      %visible = arith.ori %below, %causal_off : i1
      trident.yield %visible : i1
    }
    %p, %m2, %l2, %alpha = trident.softmax_step %x, %m1, %l1 : !tile, !row, !row -> !tile, !row, !row, !row
    %factor = trident.broadcast %alpha along "head_dim_v" : !row -> !tile
    %acc2 = arith.mulf %acc1, %factor : !tile
    %pt = trident.convert %p : !tile -> !half
    %vt = trident.load %v[%b, %j, %hk] : !V[i32, !kj, i32] -> !half
    %acc3 = trident.dot %pt, %vt precision(#trident.param<"precision">) into %acc2 : !tile, : !half, !half -> !tile
    trident.yield %acc3, %m2, %l2 : !tile, !row, !row
  } -> !tile, !row, !row
  %one = trident.full %c1 ["seq_q"] : f32 -> !row    %dead = arith.cmpf oeq, %l, %none : !row
  %sum = arith.select %dead, %one, %l : tensor<?xi1>, !row
  %inverse = arith.divf %one, %sum : !row
  %weight = trident.broadcast %inverse along "head_dim_v" : !row -> !tile    %mean = arith.mulf %acc, %weight : !tile
  %nothing = trident.broadcast %dead along "head_dim_v" : tensor<?xi1> -> tensor<?x?xi1>
  %out = arith.select %nothing, %acc0, %mean : tensor<?x?xi1>, !tile
  %ot = trident.convert %out : !tile -> !half
  trident.store %ot, %o[%b, %i, %h] : !half, !O[i32, !qi, i32]
  %log = math.log %sum : !row    %logsum = arith.addf %m, %log : !row
  trident.store %logsum, %lse[%b, %h, %i] : !row, !L[i32, i32, !qi]
}
