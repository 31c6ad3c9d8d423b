# trident_integration_program(name SOURCES a.cpp... [LINK libs...] [ARGUMENTS words...]): a program of tests that runs on the real driver
# where there is one, else on the stand-in, and says by name what it skips. It is linked so that it can be carried to a
# machine that has the GPU and not this machine's libraries.
function(trident_integration_program name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LINK;ARGUMENTS")
  add_executable(${name} ${ARG_SOURCES})
  trident_warnings(${name})
  target_link_libraries(${name} PRIVATE TridentTestSupport ${ARG_LINK} -static-libstdc++ -static-libgcc)
  if(TARGET trident_emu)
    set(stand_in --stand-in $<TARGET_FILE:trident_emu>)
  endif()
  add_test(NAME Integration/${name} COMMAND ${name} ${ARG_ARGUMENTS} ${stand_in})
  set_tests_properties(Integration/${name} PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2 TIMEOUT 1500)
endfunction()

# trident_first_test(program test): a test that wants a process of its own, because it is about the first call.
function(trident_first_test program test)
  get_test_property(Integration/${program} TIMEOUT timeout)
  if(TARGET trident_emu)
    set(stand_in --stand-in $<TARGET_FILE:trident_emu>)
  endif()
  add_test(NAME Integration/${program}/${test} COMMAND ${program} --test ${test} ${stand_in})
  set_tests_properties(Integration/${program}/${test} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${timeout})
endfunction()

# trident_kernel_test(name SOURCES a.cpp... [KERNEL kernel] [SET parameter=values...] [SCHEDULE field=value...]
#   [SCHEDULES table.json...] [OPTIONS option...] [LINK libs...] [ARGUMENTS words...]): the tests of a kernel that comes with Trident, by default the one of the same name. Its pair goes before those in LINK.
function(trident_kernel_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "KERNEL" "SOURCES;SET;SCHEDULE;SCHEDULES;OPTIONS;LINK;ARGUMENTS")
  if(NOT ARG_KERNEL)
    set(ARG_KERNEL ${name})
  endif()
  trident_integration_program(${name} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK} ARGUMENTS ${ARG_ARGUMENTS})
  trident_add_kernel(${name} ${ARG_KERNEL} SET ${ARG_SET} SCHEDULE ${ARG_SCHEDULE} SCHEDULES ${ARG_SCHEDULES}
    OPTIONS ${ARG_OPTIONS})
endfunction()

# trident_edited_kernel(program name pattern replacement [SCHEDULE field=value...]): attention_fwd with its text changed, as the
# function `name`.
function(trident_edited_kernel program name pattern replacement)
  set(kernel ${PROJECT_SOURCE_DIR}/kernels/attention_fwd.mlir)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel})
  file(READ ${kernel} text)
  string(REGEX REPLACE "${pattern}" "${replacement}" edited "${text}")
  if(edited STREQUAL text)
    message(FATAL_ERROR "trident_edited_kernel(${name}): the pattern is not in ${kernel}")
  endif()
  file(CONFIGURE OUTPUT ${name}.mlir CONTENT "${edited}" @ONLY)
  trident_add_kernel(${program} ${CMAKE_CURRENT_BINARY_DIR}/${name}.mlir NAME ${name}
    SET dtype=bf16 head_dim=64,128 causal=none,bottom_right ${ARGN})
endfunction()

# trident_scheduled_kernel(program name head_dim field=value...): attention_fwd with these fields, as the function `name`.
function(trident_scheduled_kernel program name head_dim)
  trident_add_kernel(${program} attention_fwd NAME ${name} SCHEDULE ${ARGN}
    SET dtype=bf16 head_dim=${head_dim} causal=none,top_left,bottom_right)
endfunction()

# trident_few_multiprocessors_test(program [argument...]): the program on a stand-in that claims three multiprocessors, so that
# blocks have many items (two would have the same ones in every order).
function(trident_few_multiprocessors_test program)
  if(NOT TARGET mutating_driver)
    return()
  endif()
  add_test(NAME Integration/${program}/three-multiprocessors COMMAND ${program} ${ARGN})
  set_tests_properties(Integration/${program}/three-multiprocessors PROPERTIES TIMEOUT 600
    ENVIRONMENT "TRIDENT_LIBCUDA=$<TARGET_FILE:mutating_driver>;TRIDENT_MUTANT_MULTIPROCESSORS=3")
endfunction()

# trident_mods_kernel(program name [SCORES functions...] [MASKS functions...] [SINK function] [SET parameter=values...]):
# attention_fwd with functions of scores and masks, as the function `name`; of f32 for a program whose name says so, by the default
# schedule; else of bf16 with the schedule of short sequences, but of two warpgroups: three have 160 registers each, and with prefix_lm at head_dim 64 the stand-in, which counts the values that live at
# once in the PTX, finds one more; ptxas computes some of them anew and does not spill.
function(trident_mods_kernel program name)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "SINK" "SCORES;MASKS;SET")
  set(type dtype=bf16)
  set(schedule seq_q=128 warpgroups=2 producer_registers=24 consumer_registers=240)
  if(program MATCHES "f32")
    set(type dtype/precision=f32/bf16x3)
    set(schedule)
  endif()
  trident_add_kernel(${program} attention_fwd NAME ${name} SCORES ${ARG_SCORES} MASKS ${ARG_MASKS} SINK ${ARG_SINK}
    SET ${type} ${ARG_SET} SCHEDULE ${schedule}
    OPTIONS --sizes seq_q=512 --sizes seq_k=512)
endfunction()

# The programs that no test program calls: the bench and the PyTorch plugin, on the stand-in.
function(trident_stand_in_tests)
  # The kernels as a library for other languages; bench_plugin/ loads it.
  add_library(trident_kernels SHARED $<TARGET_OBJECTS:attention_kernels>)
  target_link_libraries(trident_kernels PRIVATE Trident::launch)
  if(NOT TARGET trident_emu)
    return()
  endif()
  add_test(NAME Integration/trident-bench
           COMMAND trident-bench --head-dim 64 --seq 128 --causal none --batch 1 --heads 1 --rounds 1 --warm-up 1
                   --mode back-to-back)
  set_tests_properties(Integration/trident-bench PROPERTIES
    PASS_REGULAR_EXPRESSION "bf16/d64/b1h1/s128/none/bshd +- +[0-9]")
  add_test(NAME Integration/bench_plugin
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/bench_plugin/test_plugin.py
                   $<TARGET_FILE:trident_kernels>)
  set_tests_properties(Integration/trident-bench Integration/bench_plugin PROPERTIES
    ENVIRONMENT "TRIDENT_LIBCUDA=$<TARGET_FILE:trident_emu>;PYTHONDONTWRITEBYTECODE=1" TIMEOUT 300)
endfunction()
