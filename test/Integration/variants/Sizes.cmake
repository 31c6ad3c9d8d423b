# Variants that are told apart by the sizes of a call.
trident_kernel_test(attention_sizes KERNEL attention_fwd SOURCES attention_sizes.cpp LINK TridentAttentionSupport
  SET dtype=bf16 head_dim=64 causal=none,top_left,bottom_right SCHEDULES Inputs/sizes.json)
trident_kernel_test(attention_size_products KERNEL attention_fwd SOURCES attention_size_products.cpp LINK TridentAttentionSupport
  SET dtype=bf16 head_dim=64 causal=none,top_left,bottom_right SCHEDULES Inputs/products.json)
# The variants of many rows for calls of few, which the stand-in can make.
trident_kernel_test(attention_many_rows KERNEL attention_fwd SOURCES ../attention_cases.cpp LINK CLI11::CLI11 TridentAttentionSupport
  SET dtype=bf16,f16 head_dim=64 causal=none,top_left,bottom_right OPTIONS --sizes batch*heads*seq_q=1000000 ARGUMENTS --head-dim 64 --max-work 20000000)
# Those of long calls, which have three warpgroups at head_dim 128, for short ones.
trident_kernel_test(attention_long KERNEL attention_fwd SOURCES ../attention_cases.cpp LINK CLI11::CLI11 TridentAttentionSupport
  SET dtype=bf16,f16 head_dim=128 causal=none,top_left,bottom_right OPTIONS --sizes batch*heads*seq_q=1000000 --sizes seq_k=1000000
  ARGUMENTS --head-dim 128 --max-work 20000000)
# Accumulators are rescaled where a maximum has grown.
trident_kernel_test(attention_lazy KERNEL attention_fwd SOURCES ../attention_cases.cpp LINK CLI11::CLI11 TridentAttentionSupport
  SET dtype=bf16 head_dim=128 causal=none,top_left,bottom_right SCHEDULE rescale=lazy OPTIONS --sizes batch*heads*seq_q=65536 --sizes seq_k=512
  ARGUMENTS --head-dim 128 --dtype bf16 --max-work 20000000)
# Two variants are compiled, one is linked.
trident_integration_program(attention_chosen SOURCES attention_chosen.cpp LINK TridentAttentionSupport)
trident_add_kernel(attention_chosen attention_fwd SET dtype=bf16 head_dim=64 causal=none,bottom_right
  VARIANTS bf16_64_64_bottom_right_sm_90a OPTIONS --sizes batch*heads*seq_q=512 --sizes seq_k=512)
