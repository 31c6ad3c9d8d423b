// Dilated: a query sees every `dilation`-th key, counted from its own, which its row counted from the end is; 0 or less: its own.
trident.mask_mod @dilated(%batch: i32, %head: i32, %row: i32, %col: i32, %dilation: i32) {
  %seq_q = trident.dim "seq_q" : i32    %seq_k = trident.dim "seq_k" : i32
  %c0 = arith.constant 0 : i32    %all = arith.constant 2147483647 : i32
  %shift = arith.subi %seq_k, %seq_q : i32
  %positive = arith.cmpi sgt, %dilation, %c0 : i32
  %step = arith.select %positive, %dilation, %all : i32
  %own = arith.addi %row, %shift : i32
  %distance = arith.subi %col, %own : i32
  %rest = arith.remsi %distance, %step : i32
  %visible = arith.cmpi eq, %rest, %c0 : i32
  trident.yield %visible : i1
}
