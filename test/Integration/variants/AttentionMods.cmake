# Functions of scores and masks that come with Trident, each alone, and two of each together.
trident_integration_program(attention_mods SOURCES attention_mods.cpp LINK TridentAttentionSupport)
trident_mods_kernel(attention_mods mods_alibi SCORES alibi SET head_dim=64 causal=bottom_right)
trident_mods_kernel(attention_mods mods_bias SCORES bias SET head_dim=64 bias_type=f32,bf16)
trident_mods_kernel(attention_mods mods_boolean MASKS boolean SET head_dim=64)
trident_mods_kernel(attention_mods mods_chunked MASKS chunked SET head_dim=64 chunk=128)
trident_mods_kernel(attention_mods mods_combined SCORES soft_cap alibi MASKS sliding_window document
  SET head_dim=128 causal=none,bottom_right)
trident_mods_kernel(attention_mods mods_dilated MASKS dilated SET head_dim=64 causal=bottom_right)
trident_mods_kernel(attention_mods mods_document MASKS document SET head_dim=64)
trident_mods_kernel(attention_mods mods_prefix_lm MASKS prefix_lm SET head_dim=64)
trident_mods_kernel(attention_mods mods_soft_cap SCORES soft_cap SET head_dim=64 tanh=approx,accurate)
trident_mods_kernel(attention_mods mods_temperature SCORES temperature SET head_dim=64)
trident_mods_kernel(attention_mods mods_window MASKS sliding_window SET head_dim=64 window=bottom_right,top_left)
