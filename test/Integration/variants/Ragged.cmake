# Sequences of different lengths in one call: packed, padded, and packed queries on padded keys; by the tables' schedules, which
# have a variant for each class of sizes, and by others; with functions of scores and masks.
trident_integration_program(attention_ragged SOURCES attention_ragged.cpp LINK TridentAttentionSupport)
function(trident_ragged_kernel name)
  trident_add_kernel(attention_ragged attention_fwd NAME ragged_${name} ${ARGN})
endfunction()
set(causal causal=none,top_left,bottom_right)
trident_ragged_kernel(packed SEQUENCES packed SET dtype=bf16 head_dim=64,128 ${causal})
trident_ragged_kernel(brief SEQUENCES packed SET dtype=bf16 head_dim=64 ${causal} OPTIONS --sizes seq_q=512 --sizes seq_k=512)
trident_ragged_kernel(used SEQUENCES used SET dtype=bf16 head_dim=64 ${causal})
trident_ragged_kernel(mixed SEQUENCES packed_q used_k SET dtype=f16 head_dim=64 ${causal})
trident_ragged_kernel(blocks SEQUENCES packed SET dtype=bf16 head_dim=72 ${causal}
  SCHEDULE seq_q=128 seq_k=64 warpgroups=2 turns=true producer_registers=24 consumer_registers=240
           persistent=false overlap_items=false overlap=1 stages=2)
trident_ragged_kernel(simple SEQUENCES packed SET dtype=bf16 head_dim=64 ${causal}
  SCHEDULE seq_q=64 seq_k=64 warpgroups=1 turns=false producer_registers=0 consumer_registers=0
           persistent=true overlap_items=false overlap=0 stages=2 rescale=always)
trident_ragged_kernel(handed SEQUENCES packed SET dtype=bf16 head_dim=128 ${causal}
  SCHEDULE seq_q=128 seq_k=128 warpgroups=2 turns=false producer_registers=32 consumer_registers=232 narrow=false
           persistent=true overlap_items=true overlap=1 stages=2 rescale=stale)
trident_ragged_kernel(any SEQUENCES packed SET dtype=bf16 head_dim=72 ${causal} SCHEDULE copies=threads)
trident_ragged_kernel(mods SEQUENCES packed SCORES alibi MASKS sliding_window document SINK sink
  SET dtype=bf16 head_dim=64 causal=none,bottom_right
  SCHEDULE seq_q=128 warpgroups=2 producer_registers=24 consumer_registers=240
  OPTIONS --sizes seq_q=512 --sizes seq_k=512)
trident_few_multiprocessors_test(attention_ragged)

# What different lengths cost, on a GPU; the test is that it runs.
add_executable(attention_ragged_speed attention_ragged_speed.cpp)
trident_warnings(attention_ragged_speed)
target_link_libraries(attention_ragged_speed PRIVATE TridentTestSupport CLI11::CLI11 -static-libstdc++ -static-libgcc)
trident_add_kernel(attention_ragged_speed attention_fwd NAME speed_dense SET dtype=bf16 head_dim=128 causal=bottom_right)
trident_add_kernel(attention_ragged_speed attention_fwd NAME speed_packed SEQUENCES packed
  SET dtype=bf16 head_dim=128 causal=bottom_right)
if(TARGET trident_emu)
  add_test(NAME Integration/attention_ragged_speed
           COMMAND attention_ragged_speed --tokens 1024 --sequences 4 --heads 1 --rounds 1)
  set_tests_properties(Integration/attention_ragged_speed PROPERTIES
    PASS_REGULAR_EXPRESSION "one long +65 sequences.*of dense"
    ENVIRONMENT "TRIDENT_LIBCUDA=$<TARGET_FILE:trident_emu>" TIMEOUT 300)
endif()
