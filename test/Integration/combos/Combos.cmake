# trident_combos(program SEED n KERNELS n [draw_kernels.py's options...]): kernels that combine masks, scores, a sink, types, head
# sizes and sequences, drawn from a seed, as rows of a program of attention_combos.cpp. What the compiler refuses is a row too.
function(trident_combos program)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "SEED;KERNELS" "")
  set(drawn ${CMAKE_CURRENT_BINARY_DIR}/${program})
  set(draw ${CMAKE_CURRENT_SOURCE_DIR}/draw_kernels.py)
  set(compile ${CMAKE_CURRENT_SOURCE_DIR}/compile_kernel.py)
  set(kernel ${PROJECT_SOURCE_DIR}/kernels/attention_fwd.mlir)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${draw})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${draw} --prefix combo --seed ${ARG_SEED} --kernels ${ARG_KERNELS}
    ${ARG_UNPARSED_ARGUMENTS} ${drawn} COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${drawn}/kernels.txt lines)
  foreach(line IN LISTS lines)
    separate_arguments(words UNIX_COMMAND "${line}")
    list(POP_FRONT words name)
    set(functions ${words})
    list(TRANSFORM functions REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/kernels/mods/\\1.mlir")
    foreach(function IN LISTS functions)
      if(NOT EXISTS ${function})
        list(REMOVE_ITEM functions ${function})
      endif()
    endforeach()
    add_custom_command(OUTPUT ${drawn}/${name}.h ${drawn}/${name}.cpp
      COMMAND ${Python3_EXECUTABLE} ${compile} $<TARGET_FILE:trident-compile> ${kernel} ${name} ${drawn} ${words}
      DEPENDS trident-compile ${compile} ${kernel} ${functions}
      COMMENT "Compiling kernel ${name} of ${program}" VERBATIM)
    target_sources(${program} PRIVATE ${drawn}/${name}.cpp ${drawn}/${name}.h)
  endforeach()
  file(STRINGS ${drawn}/rows.txt rows)
  target_sources(${program} PRIVATE ${rows})
  target_include_directories(${program} PRIVATE ${drawn})
endfunction()
