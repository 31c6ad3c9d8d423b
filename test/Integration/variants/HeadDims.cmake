# Head sizes that fill no panel of shared memory, and pairs of sizes: that of Q and K, that of V and O.
trident_kernel_test(attention_head_dims KERNEL attention_fwd SOURCES attention_head_dims.cpp LINK TridentAttentionSupport
  SET dtype=bf16 head_dim=8,24,32,40,72,80,96,160,192,248 causal=none,bottom_right)
trident_kernel_test(attention_value_dims KERNEL attention_fwd SOURCES attention_value_dims.cpp LINK TridentAttentionSupport
  SET dtype/head_dim/head_dim_v=bf16/192/128,f16/192/128,bf16/64/128,bf16/128/64,bf16/64/256,bf16/72/40,bf16/40/80 causal=none,bottom_right)
