// Sliding window: a query sees `window_left` keys before its own and `window_right` after it, and its own; a negative
// number: all on that side. A query's own key is that of its row counted from the end (bottom_right) or the start.
trident.mask_mod @sliding_window parameters [#trident.parameter<"window", ["bottom_right", "top_left"], "bottom_right">]
    (%batch: i32, %head: i32, %row: i32, %col: i32, %window_left: i32, %window_right: i32) {
  %top_left = trident.param "window" is("top_left") : i1
  %seq_q = trident.dim "seq_q" : i32    %seq_k = trident.dim "seq_k" : i32
  %c0 = arith.constant 0 : i32    %all = arith.constant 2147483647 : i32
  %shift = arith.subi %seq_k, %seq_q : i32
  %start = arith.select %top_left, %c0, %shift : i32
  %no_left = arith.cmpi slt, %window_left, %c0 : i32
  %left = arith.select %no_left, %all, %window_left : i32
  %no_right = arith.cmpi slt, %window_right, %c0 : i32
  %right = arith.select %no_right, %all, %window_right : i32
  %own = arith.addi %row, %start : i32
  %before = arith.subi %own, %col : i32
  %near_left = arith.cmpi sle, %before, %left : i32
  %after = arith.subi %col, %own : i32
  %near_right = arith.cmpi sle, %after, %right : i32
  %visible = arith.andi %near_left, %near_right : i1
  trident.yield %visible : i1
}
