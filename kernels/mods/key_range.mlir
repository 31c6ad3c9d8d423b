// Key range: each query sees the keys from `first_key` on and before `end_key` of its row, as documents that are packed one
// after another are. Along the rows neither may fall, which is not checked: tiles outside the range are not visited.
!keys = !trident.view<in batch x seq_q : i32>
trident.mask_mod @key_range(%batch: i32, %head: i32, %row: i32, %col: i32, %first_key: !keys, %end_key: !keys) {
  %first = trident.element %first_key[%batch, %row] nondecreasing : !keys -> i32
  %end = trident.element %end_key[%batch, %row] nondecreasing : !keys -> i32
  %begun = arith.cmpi sge, %col, %first : i32
  %open = arith.cmpi slt, %col, %end : i32
  %visible = arith.andi %begun, %open : i1
  trident.yield %visible : i1
}
