// Prefix LM: all queries of a batch see its prefix, and each query the keys up to its own, counted from the end.
trident.mask_mod @prefix_lm(%batch: i32, %head: i32, %row: i32, %col: i32, %prefix: !trident.view<in batch : i32>) {
  %seq_q = trident.dim "seq_q" : i32    %seq_k = trident.dim "seq_k" : i32
  %shift = arith.subi %seq_k, %seq_q : i32
  %length = trident.element %prefix[%batch] : !trident.view<in batch : i32> -> i32
  %in_prefix = arith.cmpi slt, %col, %length : i32
  %own = arith.addi %row, %shift : i32
  %causal = arith.cmpi sle, %col, %own : i32
  %visible = arith.ori %in_prefix, %causal : i1
  trident.yield %visible : i1
}
