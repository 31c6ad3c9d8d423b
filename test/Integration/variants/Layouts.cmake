# Tensors that the copy engine does not take, and those that it does, behind one function.
trident_kernel_test(attention_layouts KERNEL attention_fwd SOURCES attention_layouts.cpp LINK TridentAttentionSupport
  SET dtype=bf16 head_dim/head_dim_v=64,72,128,192/128 causal=none,bottom_right OPTIONS --any-layout)
trident_kernel_test(attention_f32_layouts KERNEL attention_fwd SOURCES attention_layouts.cpp LINK TridentAttentionSupportF32
  SET dtype/precision/head_dim/head_dim_v=f32/bf16x3/64,f32/bf16x3/72,f32/bf16x3/128,f32/bf16x3/192/128 causal=none,bottom_right
  OPTIONS --any-layout)

# Kernels that are not attention.
trident_kernel_test(matrix_layouts KERNEL ${CMAKE_CURRENT_SOURCE_DIR}/Inputs/gemm_f32.mlir SOURCES matrix_layouts.cpp OPTIONS --any-layout)
trident_add_kernel(matrix_layouts ${CMAKE_CURRENT_SOURCE_DIR}/Inputs/twice_f32.mlir OPTIONS --any-layout)
trident_add_kernel(matrix_layouts row_softmax SET dtype=bf16 OPTIONS --any-layout)
