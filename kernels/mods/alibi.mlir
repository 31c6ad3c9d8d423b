// ALiBi: a slope for each head times the distance of the key from the query, negative before it. Query and key that end
// their sequences are at distance 0 (bottom_right), or those that begin them (top_left).
trident.score_mod @alibi parameters [#trident.parameter<"alibi", ["bottom_right", "top_left"], "bottom_right">]
    (%score: f32, %batch: i32, %head: i32, %row: i32, %col: i32, %slopes: !trident.view<in heads : f32>) {
  %top_left = trident.param "alibi" is("top_left") : i1
  %seq_q = trident.dim "seq_q" : i32    %seq_k = trident.dim "seq_k" : i32
  %c0 = arith.constant 0 : i32    %shift = arith.subi %seq_k, %seq_q : i32
  %start = arith.select %top_left, %c0, %shift : i32
  %slope = trident.element %slopes[%head] : !trident.view<in heads : f32> -> f32
  %place = arith.addi %row, %start : i32
  %distance = arith.subi %col, %place : i32    %far = arith.sitofp %distance : i32 to f32
  %sum = math.fma %slope, %far, %score : f32
  trident.yield %sum : f32
}
