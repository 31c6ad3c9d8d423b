# What the stand-in answers to each tensor map, compared with what is recorded; with an H200's answers once they are.
foreach(who IN ITEMS stand-in h200)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tensor_map_table.${who}.txt)
    add_test(NAME Emulator/TensorMapTable-${who}
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/compare_table.py $<TARGET_FILE:tensor_map_table>
                     $<TARGET_FILE:trident_emu> ${CMAKE_CURRENT_SOURCE_DIR}/tensor_map_table.${who}.txt)
  endif()
endforeach()
add_test(NAME Emulator/DeviceTable COMMAND device_table $<TARGET_FILE:trident_emu>)
set_tests_properties(Emulator/DeviceTable PROPERTIES
  PASS_REGULAR_EXPRESSION "attribute 16 -> 0 132.*PTX of sm_90a -> module 0 library 0 kernel 0 function 0")

# trident-run-emulated hands the program the library, its arguments and its exit status.
add_test(NAME tools/trident-run-emulated COMMAND trident-run-emulated $<TARGET_FILE:tensor_map_table>)
set_tests_properties(tools/trident-run-emulated PROPERTIES PASS_REGULAR_EXPRESSION "default -> 0 CUDA_SUCCESS")
