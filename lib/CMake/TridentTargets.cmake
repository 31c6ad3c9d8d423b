# The two shapes of target in this tree. Both hide which LLVM libraries exist: everything of LLVM and MLIR comes
# from the two shared libraries, so nothing static is linked and no option is registered twice.

separate_arguments(TRIDENT_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")

add_library(TridentMLIR INTERFACE)
target_link_libraries(TridentMLIR INTERFACE MLIR LLVM)
target_compile_definitions(TridentMLIR INTERFACE ${TRIDENT_LLVM_DEFINITIONS})

function(trident_warnings name)
  # g++ 12 takes many a std::optional for uninitialised.
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endfunction()

# trident_add_rooms(names...): add the subdirectories, in the order given.
function(trident_add_rooms)
  foreach(room IN LISTS ARGN)
    add_subdirectory(${room})
  endforeach()
endfunction()

# One precompiled header of MLIR's core for all libraries: header parsing is most of a build.
add_library(TridentPrecompiled STATIC ${CMAKE_CURRENT_LIST_DIR}/Precompiled.cpp)
trident_warnings(TridentPrecompiled)
target_link_libraries(TridentPrecompiled PUBLIC TridentMLIR)
target_precompile_headers(TridentPrecompiled PRIVATE ${CMAKE_CURRENT_LIST_DIR}/Precompiled.h)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Without the time stamp inside it, ccache can keep the header.
  target_compile_options(TridentPrecompiled PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endif()

# trident_library(Name SOURCES a.cpp... LINK libs... DEPENDS tablegen targets...): a static library of the compiler.
function(trident_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  trident_warnings(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} TridentMLIR)
  target_precompile_headers(${name} REUSE_FROM TridentPrecompiled)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# trident_tool(name SOURCES a.cpp... LINK libs...): a program that users run; libMLIR is outside the loader's path.
function(trident_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  trident_warnings(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  set_target_properties(${name} PROPERTIES BUILD_RPATH ${LLVM_LIBRARY_DIR} INSTALL_RPATH ${LLVM_LIBRARY_DIR})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
