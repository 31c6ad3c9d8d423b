// Padded sequences: of the tokens of sequence i the first seqused[i] are used.
!seqused = !trident.view<in batch : i32>
trident.sequence_mod @used_q of "seq_q" by "batch" (%sequence: i32, %seqused_q: !seqused) {
  %length = trident.element %seqused_q[%sequence] : !seqused -> i32
  trident.yield %length : i32
}
trident.sequence_mod @used_k of "seq_k" by "batch" (%sequence: i32, %seqused_k: !seqused) {
  %length = trident.element %seqused_k[%sequence] : !seqused -> i32
  trident.yield %length : i32
}
