// Packed queries: those of all sequences lie one after another, those of sequence i from cu_seqlens_q[i] to
// cu_seqlens_q[i + 1], and none has more of them than max_seqlen_q.
!cu_seqlens = !trident.view<in batch + 1 : i32>
trident.sequence_mod @packed_q of "seq_q" by "batch" in "total_q" ordered
    (%sequence: i32, %cu_seqlens_q: !cu_seqlens, %max_seqlen_q: !trident.extent<"seq_q">) {
  %c1 = arith.constant 1 : i32    %next = arith.addi %sequence, %c1 : i32
  %begin = trident.element %cu_seqlens_q[%sequence] : !cu_seqlens -> i32
  %end = trident.element %cu_seqlens_q[%next] : !cu_seqlens -> i32
  %length = arith.subi %end, %begin : i32
  trident.yield %begin, %length : i32, i32
}
