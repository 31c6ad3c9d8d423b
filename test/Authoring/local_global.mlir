// Local and global: a query sees the `reach` keys up to its own, and the first `globals` keys of its sequence.
trident.mask_mod @local_global(%batch: i32, %head: i32, %row: i32, %col: i32, %reach: i32, %globals: i32) {
  %seq_q = trident.dim "seq_q" : i32    %seq_k = trident.dim "seq_k" : i32
  %shift = arith.subi %seq_k, %seq_q : i32
  %own = arith.addi %row, %shift : i32
  %most = arith.minui %reach, %seq_k : i32
  %before = arith.subi %own, %most : i32
  %near = arith.cmpi sgt, %col, %before : i32
  %past = arith.cmpi sle, %col, %own : i32
  %local = arith.andi %near, %past : i1
  %global = arith.cmpi slt, %col, %globals : i32
  %either = arith.ori %local, %global : i1
  %visible = arith.andi %either, %past : i1
  trident.yield %visible : i1
}
// RUN: trident-compile attention_fwd --mask %s --schedule seq_q=128 --schedule seq_k=128 --schedule warpgroups=2 --emit=tile --explain -o %t.mlir --sizes seq_q=1024 --sizes seq_k=1024 --assume reach=256 --assume globals=64 2>&1 | FileCheck %s
// Of two parts that are seen the loop runs over what lies between them too. Tile i of eight has i + 1; the whole ones are the
// tile before the last, except in the first.
// CHECK: 36 visited, 7 full, 29 partial over
