// Sliding window: a query sees `window_left` keys before its own and `window_right` after it, and its own; a negative
// number: all on that side. A query's own key is that of its row counted from the end (bottom_right) or the start.
trident.mask_mod @sliding_window parameters [#trident.parameter<"window", ["bottom_right", "top_left"], "bottom_right">]
    (%batch: i32, %head: i32, %row: i32, %col: i32, %window_left: i32, %window_right: i32) {
  %top_left = trident.param "window" is("top_left") : i1
  %seq_q = trident.dim "seq_q" : i32    %seq_k = trident.dim "seq_k" : i32
  %c0 = arith.constant 0 : i32    %shift = arith.subi %seq_k, %seq_q : i32
  %start = arith.select %top_left, %c0, %shift : i32
  // No distance is larger than these; as an unsigned number a negative one is.
  %most_left = arith.select %top_left, %seq_q, %seq_k : i32
  %most_right = arith.select %top_left, %seq_k, %seq_q : i32
  %left = arith.minui %window_left, %most_left : i32
  %right = arith.minui %window_right, %most_right : i32
  %own = arith.addi %row, %start : i32
  %first = arith.subi %own, %left : i32
  %last = arith.addi %own, %right : i32
  %near_left = arith.cmpi sge, %col, %first : i32
  %near_right = arith.cmpi sle, %col, %last : i32
  %visible = arith.andi %near_left, %near_right : i1
  trident.yield %visible : i1
}
