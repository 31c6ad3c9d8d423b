// A mask from memory: a byte for each batch, head, query and key, of any strides, not 0 where the key is visible; an
// extent of 1 stands for all.
!mask = !trident.view<in batch x heads x seq_q x seq_k : i1>
trident.mask_mod @boolean(%batch: i32, %head: i32, %row: i32, %col: i32, %mask: !mask) {
  %visible = trident.element %mask[%batch, %head, %row, %col] : !mask -> i1
  trident.yield %visible : i1
}
