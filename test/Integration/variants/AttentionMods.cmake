# Functions of scores and masks that come with Trident, each alone, and two of each together.
function(trident_all_mods program)
  trident_mods_kernel(${program} mods_alibi SCORES alibi SET head_dim=64 causal=bottom_right)
  trident_mods_kernel(${program} mods_bias SCORES bias SET head_dim=64 bias_type=f32,bf16)
  trident_mods_kernel(${program} mods_boolean MASKS boolean SET head_dim=64)
  trident_mods_kernel(${program} mods_chunked MASKS chunked SET head_dim=64 chunk=128)
  trident_mods_kernel(${program} mods_combined SCORES soft_cap alibi MASKS sliding_window document
    SET head_dim/head_dim_v=128,72/40 causal=none,bottom_right)
  trident_mods_kernel(${program} mods_dilated MASKS dilated SET head_dim=64 causal=bottom_right)
  trident_mods_kernel(${program} mods_document MASKS document SET head_dim=64)
  trident_mods_kernel(${program} mods_everything SCORES temperature soft_cap bias alibi
    MASKS sliding_window document boolean key_range SINK sink
    SET head_dim=64 causal=none,bottom_right tanh=accurate)
  trident_mods_kernel(${program} mods_ordered_document MASKS ordered_document SET head_dim=64)
  trident_mods_kernel(${program} mods_key_range MASKS key_range SET head_dim=64)
  trident_mods_kernel(${program} mods_prefix_lm MASKS prefix_lm SET head_dim=64)
  trident_mods_kernel(${program} mods_sink SINK sink SET head_dim=64 causal=bottom_right)
  trident_mods_kernel(${program} mods_soft_cap SCORES soft_cap SET head_dim=64 tanh=approx,accurate)
  trident_mods_kernel(${program} mods_temperature SCORES temperature SET head_dim=64)
  trident_mods_kernel(${program} mods_window MASKS sliding_window SET head_dim=64 window=bottom_right,top_left)
endfunction()
trident_integration_program(attention_mods SOURCES attention_mods.cpp LINK TridentAttentionSupport)
trident_all_mods(attention_mods)

# What they cost beside the plain causal kernel, on a GPU; the test is that it runs.
function(trident_speed_kernel name)
  trident_add_kernel(attention_mods_speed attention_fwd NAME speed_${name} SET dtype=bf16 head_dim=128 ${ARGN})
endfunction()
add_executable(attention_mods_speed attention_mods_speed.cpp)
trident_warnings(attention_mods_speed)
target_link_libraries(attention_mods_speed PRIVATE TridentTestSupport CLI11::CLI11 -static-libstdc++ -static-libgcc)
trident_speed_kernel(plain causal=bottom_right)
trident_speed_kernel(alibi causal=bottom_right SCORES alibi)
trident_speed_kernel(bias causal=bottom_right bias_type=bf16 SCORES bias)
trident_speed_kernel(document causal=bottom_right MASKS document)
trident_speed_kernel(ordered_document causal=bottom_right MASKS ordered_document)
trident_speed_kernel(key_range causal=bottom_right MASKS key_range)
trident_speed_kernel(sink causal=bottom_right SINK sink)
trident_speed_kernel(soft_cap causal=bottom_right SCORES soft_cap)
trident_speed_kernel(window MASKS sliding_window)
if(TARGET trident_emu)
  add_test(NAME Integration/attention_mods_speed
           COMMAND attention_mods_speed --batch 1 --heads 2 --seq 256 --window 64 --documents 2 --rounds 1)
  set_tests_properties(Integration/attention_mods_speed PROPERTIES
    PASS_REGULAR_EXPRESSION "key_range +[0-9].* of plain"
    ENVIRONMENT "TRIDENT_LIBCUDA=$<TARGET_FILE:trident_emu>" TIMEOUT 300)
endif()
include(Searches.cmake)
