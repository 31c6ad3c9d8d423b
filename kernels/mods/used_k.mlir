// Padded keys: of the keys of sequence i the first seqused_k[i] are used.
!seqused = !trident.view<in batch : i32>
trident.sequence_mod @used_k of "seq_k" by "batch" (%sequence: i32, %seqused_k: !seqused) {
  %length = trident.element %seqused_k[%sequence] : !seqused -> i32
  trident.yield %length : i32
}
