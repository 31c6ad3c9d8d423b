# trident_integration_program(name [LINK libs...] [ARGUMENTS args...]): a program of tests that runs on the real driver
# where there is one, else on the stand-in, and says by name what it skips. It is linked so that it can be carried to a
# machine that has the GPU and not this machine's libraries.
function(trident_integration_program name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LINK;ARGUMENTS")
  add_executable(${name} ${name}.cpp)
  trident_warnings(${name})
  target_link_libraries(${name} PRIVATE TridentTestSupport ${ARG_LINK} -static-libstdc++ -static-libgcc)
  if(TARGET trident_emu)
    list(APPEND ARG_ARGUMENTS --stand-in $<TARGET_FILE:trident_emu>)
  endif()
  add_test(NAME Integration/${name} COMMAND ${name} ${ARG_ARGUMENTS})
  set_tests_properties(Integration/${name} PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2 TIMEOUT 1500)
endfunction()

# trident_kernel_test(kernel): the program of tests of the same name for a kernel that comes with Trident.
function(trident_kernel_test kernel)
  if(EXISTS ${Trident_KERNEL_DIR}/${kernel}.mlir)
    trident_integration_program(${kernel})
    trident_add_kernel(${kernel} ${kernel})
  endif()
endfunction()
