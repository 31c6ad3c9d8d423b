// Documents whose numbers do not fall: as `document`, but tiles of other documents are not visited. That neither the numbers of
// queries nor those of keys fall is not checked.
!ids_q = !trident.view<in batch x seq_q : i32>
!ids_k = !trident.view<in batch x seq_k : i32>
trident.mask_mod @ordered_document(%batch: i32, %head: i32, %row: i32, %col: i32, %document_q: !ids_q, %document_k: !ids_k) {
  %of_row = trident.element %document_q[%batch, %row] nondecreasing : !ids_q -> i32
  %of_col = trident.element %document_k[%batch, %col] nondecreasing : !ids_k -> i32
  %visible = arith.cmpi eq, %of_row, %of_col : i32
  trident.yield %visible : i1
}
