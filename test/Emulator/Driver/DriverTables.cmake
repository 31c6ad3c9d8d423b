# What the stand-in answers, compared with what an H200 answered; where it differs on purpose, with the listed exceptions.
set(compare ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/compare_table.py)
add_test(NAME Emulator/TensorMapTable
         COMMAND ${compare} $<TARGET_FILE:tensor_map_table> $<TARGET_FILE:trident_emu>
                 ${CMAKE_CURRENT_SOURCE_DIR}/tensor_map_table.h200.txt)
add_test(NAME Emulator/DeviceTable
         COMMAND ${compare} $<TARGET_FILE:device_table> $<TARGET_FILE:trident_emu>
                 ${CMAKE_CURRENT_SOURCE_DIR}/device_table.h200.txt ${CMAKE_CURRENT_SOURCE_DIR}/device_table.exceptions.txt)

# trident-run-emulated hands the program the library, its arguments and its exit status.
add_test(NAME tools/trident-run-emulated COMMAND trident-run-emulated $<TARGET_FILE:tensor_map_table>)
set_tests_properties(tools/trident-run-emulated PROPERTIES PASS_REGULAR_EXPRESSION "default -> 0 CUDA_SUCCESS")
