# f32 tensors, multiplied as three products of bf16 halves.
trident_kernel_test(attention_f32 KERNEL attention_fwd SOURCES attention_f32.cpp LINK TridentAttentionSupportF32
  SET dtype/precision/head_dim/head_dim_v=f32/bf16x3/64,f32/bf16x3/128,f32/bf16x3/256,f32/bf16x3/72,f32/bf16x3/192/128,f32/bf16x3/64/256
      causal=none,top_left,bottom_right)
trident_few_multiprocessors_test(attention_f32)

# With functions of scores and masks, and with sequences of different lengths: the programs of the 16-bit types.
trident_integration_program(attention_f32_mods SOURCES attention_mods.cpp LINK TridentAttentionSupportF32)
trident_all_mods(attention_f32_mods)

trident_integration_program(attention_f32_ragged SOURCES attention_ragged.cpp LINK TridentAttentionSupportF32)
function(trident_f32_ragged_kernel name)
  trident_add_kernel(attention_f32_ragged attention_fwd NAME ragged_${name} ${ARGN})
endfunction()
set(f32 dtype/precision=f32/bf16x3)
trident_f32_ragged_kernel(packed SEQUENCES packed SET ${f32} head_dim=64,128 ${causal})
trident_f32_ragged_kernel(brief SEQUENCES packed SET ${f32} head_dim=64 ${causal} SCHEDULE seq_k=64)
trident_f32_ragged_kernel(used SEQUENCES used SET ${f32} head_dim=64 ${causal})
trident_f32_ragged_kernel(mixed SEQUENCES packed_q used_k SET ${f32} head_dim=64 ${causal})
trident_f32_ragged_kernel(blocks SEQUENCES packed SET ${f32} head_dim=72 ${causal}
  SCHEDULE seq_q=128 seq_k=64 warpgroups=2 persistent=false overlap_items=false)
trident_f32_ragged_kernel(simple SEQUENCES packed SET ${f32} head_dim=64 ${causal}
  SCHEDULE seq_q=64 seq_k=64 warpgroups=1 turns=false overlap_items=false overlap=0 rescale=always)
trident_f32_ragged_kernel(handed SEQUENCES packed SET ${f32} head_dim=128 ${causal} SCHEDULE narrow=false)
trident_f32_ragged_kernel(any SEQUENCES packed SET ${f32} head_dim=72 ${causal} SCHEDULE copies=threads)
trident_f32_ragged_kernel(mods SEQUENCES packed SCORES alibi MASKS sliding_window document SINK sink
  SET ${f32} head_dim=64 causal=none,bottom_right)

# A kernel that is not attention.
trident_kernel_test(gemm_f32 KERNEL ${CMAKE_CURRENT_SOURCE_DIR}/Inputs/gemm_f32.mlir SOURCES gemm_f32.cpp)
