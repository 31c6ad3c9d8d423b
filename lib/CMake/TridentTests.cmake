# How tests are registered. Everything runs under ctest, whose closing line says what passed; a lit suite is one test.
find_program(TRIDENT_LIT NAMES lit llvm-lit lit-22 HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED NO_DEFAULT_PATH)
configure_file(${PROJECT_SOURCE_DIR}/test/lit.site.cfg.py.in ${PROJECT_BINARY_DIR}/test/lit.site.cfg.py @ONLY)

# trident_add_lit_suites(rooms...): each folder of test/ that holds lit tests is a test of ctest. What lit skipped is
# left in build/test/ROOM.json for `./dev test` to count and name.
function(trident_add_lit_suites)
  foreach(room IN LISTS ARGN)
    file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${room}/*.mlir ${room}/*.test)
    list(FILTER tests EXCLUDE REGEX "/Inputs/")
    if(tests)
      add_test(NAME lit/${room}
               COMMAND ${TRIDENT_LIT} -sv --no-progress-bar -j 2 -o ${PROJECT_BINARY_DIR}/test/${room}.json
                       ${PROJECT_BINARY_DIR}/test/${room})
      set_tests_properties(lit/${room} PROPERTIES PROCESSORS 2 TIMEOUT 900)
    endif()
  endforeach()
endfunction()
