# The examples of docs/Authoring.md.
set(examples ${PROJECT_SOURCE_DIR}/test/Authoring)
trident_integration_program(authoring SOURCES authoring.cpp LINK TridentAttentionSupport)
trident_add_kernel(authoring ${examples}/score_lse.mlir SET head_dim=64)
trident_add_kernel(authoring attention_fwd NAME authored_attention SCORES ${examples}/recency.mlir
  MASKS ${examples}/local_global.mlir SET head_dim=64 SCHEDULE seq_q=128 warpgroups=2 producer_registers=24 consumer_registers=240
  OPTIONS --sizes seq_q=512 --sizes seq_k=512)
