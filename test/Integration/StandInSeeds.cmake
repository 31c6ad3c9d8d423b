# trident_seed_tests(program [argument...]): the program on the stand-in, machine with a GPU or not, with five seeds, each of
# which orders warps, copies and wgmmas in another way. The seeds share the cores, so each test counts as one.
function(trident_seed_tests program)
  if(NOT TARGET trident_emu)
    return()
  endif()
  foreach(seed RANGE 1 5)
    set(test Integration/${program}/stand-in-seed-${seed})
    add_test(NAME ${test} COMMAND ${program} ${ARGN})
    set_tests_properties(${test} PROPERTIES TIMEOUT 600
      ENVIRONMENT "TRIDENT_LIBCUDA=$<TARGET_FILE:trident_emu>;TRIDENT_EMU_SEED=${seed}")
  endforeach()
endfunction()

# Seven calls of each of the 18 variants with head_dim 64, 128 or 256; one of the seven has no keys, no queries or no batch.
trident_seed_tests(attention_cases --small 126)
trident_seed_tests(matmul_rowmax)
trident_seed_tests(row_softmax)
trident_seed_tests(attention_head_dims)
trident_seed_tests(attention_value_dims)
trident_seed_tests(attention_f32)
trident_seed_tests(gemm_f32)
trident_seed_tests(attention_layouts)
trident_seed_tests(matrix_layouts)
trident_seed_tests(attention_mods)
trident_seed_tests(attention_ragged)
trident_seed_tests(attention_searches)

# The call that the stand-in must make, twice and with the reference, in 10 s.
if(TARGET trident_emu)
  add_test(NAME Integration/attention_cases/stand-in-speed COMMAND attention_cases --case
           "dtype=bf16 head_dim=128 batch=1 heads=2 kv_heads=2 seq_q=512 seq_k=512 causal=bottom_right")
  set_tests_properties(Integration/attention_cases/stand-in-speed PROPERTIES TIMEOUT 10 PROCESSORS 2
    ENVIRONMENT "TRIDENT_LIBCUDA=$<TARGET_FILE:trident_emu>")
endif()
