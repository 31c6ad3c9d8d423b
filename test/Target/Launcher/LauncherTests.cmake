include(GoogleTest)

# The generated pair, compiled as users compile it.
set(pair ${CMAKE_CURRENT_BINARY_DIR}/pair)
set(plan ${CMAKE_CURRENT_SOURCE_DIR}/attention_fwd.plan.json)
add_custom_command(OUTPUT ${pair}/attention_fwd.h ${pair}/attention_fwd.cpp
                   COMMAND write-pair ${plan} ${pair}
                   DEPENDS write-pair ${plan})
add_library(recorder SHARED Recorder.cpp)
trident_warnings(recorder)

# trident_launcher_test(NAME sources...): a test program with a launcher of its own.
function(trident_launcher_test name)
  add_executable(${name} ${ARGN} World.cpp ${pair}/attention_fwd.cpp)
  set_source_files_properties(${pair}/attention_fwd.cpp PROPERTIES COMPILE_OPTIONS "-O2;-Wall;-Wextra;-Wpedantic;-Wconversion;-Werror")
  target_include_directories(${name} PRIVATE ${pair})
  target_link_libraries(${name} PRIVATE GTest::gtest_main Threads::Threads ${CMAKE_DL_LIBS})
  trident_warnings(${name})
  add_dependencies(${name} recorder)
endfunction()

# Each test runs in a process of its own, so that each makes the first call.
foreach(name IN ITEMS FirstCall IllegalCalls Interfaces LegalCalls)
  trident_launcher_test(${name}Test ${name}Test.cpp)
endforeach()
set(recorded PROPERTIES ENVIRONMENT TRIDENT_LIBCUDA=$<TARGET_FILE:recorder>)
gtest_discover_tests(FirstCallTest TEST_PREFIX Launcher/ ${recorded})
foreach(name IN ITEMS IllegalCalls Interfaces LegalCalls)
  add_test(NAME Launcher/${name} COMMAND ${name}Test)
  set_tests_properties(Launcher/${name} ${recorded})
endforeach()
