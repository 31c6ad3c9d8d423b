include(GoogleTest)

# The generated pairs, compiled as users compile them.
set(pairs ${CMAKE_CURRENT_BINARY_DIR}/pairs)
foreach(kernel IN ITEMS attention_fwd row_softmax)
  set(plan ${CMAKE_CURRENT_SOURCE_DIR}/${kernel}.plan.json)
  add_custom_command(OUTPUT ${pairs}/${kernel}.h ${pairs}/${kernel}.cpp
                     COMMAND write-pair ${plan} ${pairs}
                     DEPENDS write-pair ${plan})
  add_library(${kernel}_pair STATIC ${pairs}/${kernel}.cpp ${pairs}/${kernel}.h)
  target_include_directories(${kernel}_pair PUBLIC ${pairs})
  target_compile_options(${kernel}_pair PRIVATE -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror)
  target_link_libraries(${kernel}_pair PUBLIC ${CMAKE_DL_LIBS})
endforeach()
# The same pairs in builds that name some of the variants.
foreach(kernel IN ITEMS attention_fwd row_softmax)
  add_library(${kernel}_chosen STATIC ${pairs}/${kernel}.cpp ${pairs}/${kernel}.h)
  target_include_directories(${kernel}_chosen PUBLIC ${pairs})
  target_compile_options(${kernel}_chosen PRIVATE -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror)
  target_link_libraries(${kernel}_chosen PUBLIC ${CMAKE_DL_LIBS})
endforeach()
target_compile_definitions(attention_fwd_chosen
  PRIVATE "ATTENTION_FWD_VARIANTS=bf16_128_128_none_sm_90a,f16_64_64_top_left_sm_90a")
target_compile_definitions(row_softmax_chosen PRIVATE ROW_SOFTMAX_VARIANTS=sm_80,sm_120)
# The kernel that comes with Trident, compiled: what is checked must not depend on who made the plan.
add_library(attention_fwd_compiled STATIC)
trident_add_kernel(attention_fwd_compiled attention_fwd
                   SET dtype=bf16,f16 head_dim=64,128 causal=none,top_left,bottom_right)
# The same with a variant for few keys and one for many.
add_library(attention_fwd_sizes STATIC)
trident_add_kernel(attention_fwd_sizes attention_fwd
                   SET dtype=bf16 head_dim=64 SCHEDULES ${PROJECT_SOURCE_DIR}/test/Integration/variants/Inputs/sizes.json)
# The same where products of extents decide.
add_library(attention_fwd_products STATIC)
trident_add_kernel(attention_fwd_products attention_fwd
                   SET dtype=bf16 head_dim=64 SCHEDULES ${PROJECT_SOURCE_DIR}/test/Integration/variants/Inputs/products.json)
# The same with a variant for any layout behind each. One size class: no table tells sizes apart.
add_library(attention_fwd_layouts STATIC)
trident_add_kernel(attention_fwd_layouts attention_fwd
                   SET dtype=bf16,f16 head_dim=128 causal=none OPTIONS --any-layout --sizes seq_k=512)
add_library(recorder SHARED Recorder.cpp)
trident_warnings(recorder)

# trident_launcher_test(NAME TEST pairs...): a program of TESTTest.cpp, run with the driver library that records.
function(trident_launcher_test name test)
  add_executable(${name}Test ${test}Test.cpp World.cpp)
  target_link_libraries(${name}Test PRIVATE ${ARGN} GTest::gtest_main Threads::Threads)
  trident_warnings(${name}Test)
  add_dependencies(${name}Test recorder)
endfunction()

# Each test of a first call runs in a process of its own.
foreach(name IN ITEMS FirstCall IllegalCalls Interfaces LegalCalls)
  trident_launcher_test(${name} ${name} attention_fwd_pair)
endforeach()
trident_launcher_test(ChosenVariants ChosenVariants attention_fwd_chosen row_softmax_chosen)
trident_launcher_test(IllegalCallsCompiled IllegalCalls attention_fwd_compiled)
trident_launcher_test(Sizes Sizes attention_fwd_sizes)
trident_launcher_test(SizeProducts SizeProducts attention_fwd_products)
trident_launcher_test(Layouts Layouts attention_fwd_layouts)
trident_launcher_test(Workspace Workspace attention_fwd_compiled)
trident_launcher_test(RowSoftmax RowSoftmax row_softmax_pair attention_fwd_pair)
set(recorded PROPERTIES ENVIRONMENT TRIDENT_LIBCUDA=$<TARGET_FILE:recorder>)
gtest_discover_tests(FirstCallTest TEST_PREFIX Launcher/ ${recorded})
foreach(name IN ITEMS ChosenVariants IllegalCalls IllegalCallsCompiled Interfaces Layouts LegalCalls RowSoftmax SizeProducts Sizes Workspace)
  add_test(NAME Launcher/${name} COMMAND ${name}Test)
  set_tests_properties(Launcher/${name} ${recorded})
endforeach()

add_executable(LaunchPlanTest LaunchPlanTest.cpp)
target_link_libraries(LaunchPlanTest PRIVATE TridentLauncher GTest::gtest)
set_target_properties(LaunchPlanTest PROPERTIES BUILD_RPATH ${LLVM_LIBRARY_DIR})
trident_warnings(LaunchPlanTest)
add_test(NAME Launcher/Plan COMMAND LaunchPlanTest ${CMAKE_CURRENT_SOURCE_DIR}/attention_fwd.plan.json)
