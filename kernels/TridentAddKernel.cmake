# trident_add_kernel(target kernel
#   [NAME name]                     name of the function and of the files; the kernel's own by default
#   [SET parameter=value,value...]  values to compile; several give several variants behind one function
#                                   (parameter/parameter=value/value,... for values that go together)
#   [SCORES function...]            functions of scores, in order: files, or names of those that come with Trident
#   [MASKS function...]             masks, likewise: what every one accepts is visible
#   [SINK function]                 a logit that joins the softmax, likewise
#   [SEQUENCES function...]         where sequences lie, likewise: packed, used
#   [TARGETS sm_90a...]             sm_90a by default
#   [VARIANTS variant...]           of what is compiled, what is linked, by the names in NAME.json; all by default
#   [SCHEDULE key=value...]         fields of the schedule to override
#   [SCHEDULES table.json...]       tables of schedules whose rows go before those of the compiler
#   [OPTIONS option...])            anything else for trident-compile
#
# Compiles a kernel, given by file or by the name of one that comes with Trident, and adds the generated source and
# header to `target`: include "NAME.h" and call it; NAME.json beside it lists the variants. It runs again when one of the files named or an argument here or the
# compiler (which holds tables of its own) has changed.
function(trident_add_kernel target kernel)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "NAME;SINK" "SET;SCORES;MASKS;SEQUENCES;TARGETS;VARIANTS;SCHEDULE;SCHEDULES;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trident_add_kernel(${target} ${kernel}): unknown argument '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "trident_add_kernel: '${target}' is not a target; add_executable or add_library it first")
  endif()
  foreach(assignment IN LISTS ARG_SET ARG_SCHEDULE)
    if(NOT assignment MATCHES "^[A-Za-z_][A-Za-z0-9_./]*=.")
      message(FATAL_ERROR "trident_add_kernel(${target} ${kernel}): expected name=value, not '${assignment}'")
    endif()
  endforeach()

  _trident_find_file(source "${kernel}" . kernel)
  get_filename_component(name "${source}" NAME_WE)
  set(options "")
  if(ARG_NAME)
    set(name "${ARG_NAME}")
    list(APPEND options --name "${name}")
  endif()
  if(NOT ARG_TARGETS)
    set(ARG_TARGETS sm_90a)
  endif()
  foreach(gpu IN LISTS ARG_TARGETS)
    list(APPEND options --target "${gpu}")
  endforeach()
  foreach(assignment IN LISTS ARG_SET)
    list(APPEND options --set "${assignment}")
  endforeach()
  foreach(assignment IN LISTS ARG_SCHEDULE)
    list(APPEND options --schedule "${assignment}")
  endforeach()

  set(functions "")
  set(ARG_SINKS ${ARG_SINK})
  foreach(kind IN ITEMS score mask sink sequence)
    string(TOUPPER ${kind}S list)
    foreach(function IN LISTS ARG_${list})
      _trident_find_file(file "${function}" mods "function of scores, masks, sinks or sequences")
      list(APPEND functions "${file}")
      list(APPEND options --${kind} "${file}")
    endforeach()
  endforeach()

  set(tables "")
  foreach(table IN LISTS ARG_SCHEDULES)
    get_filename_component(table "${table}" ABSOLUTE)
    list(APPEND tables "${table}")
    list(APPEND options --schedules "${table}")
  endforeach()

  # A folder of its own: each kernel comes with its copy of trident/launch.h.
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/trident/${target}/${name}")
  set(sources "${directory}/${name}.h" "${directory}/${name}.cpp")
  file(MAKE_DIRECTORY "${directory}")
  add_custom_command(
    OUTPUT ${sources} "${directory}/${name}.json"
    BYPRODUCTS "${directory}/trident/launch.h"
    COMMAND Trident::trident-compile "${source}" ${options} ${ARG_OPTIONS} -o "${directory}"
    DEPENDS "${source}" ${functions} ${tables} Trident::trident-compile
    COMMENT "Compiling kernel ${name} for ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE ${sources})
  if(ARG_VARIANTS)
    string(TOUPPER "${name}" macro)
    list(JOIN ARG_VARIANTS "," variants)
    set_property(SOURCE "${directory}/${name}.cpp" PROPERTY COMPILE_DEFINITIONS "${macro}_VARIANTS=${variants}")
  endif()
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${directory}>")
  target_link_libraries(${target} PUBLIC Trident::launch)
endfunction()

# A file relative to the caller's folder, else one that comes with Trident: of that name in `folder`, which holds `what`.
function(_trident_find_file result name folder what)
  get_filename_component(path "${name}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT EXISTS "${path}" OR IS_DIRECTORY "${path}")
    get_filename_component(path "${Trident_KERNEL_DIR}/${folder}/${name}.mlir" ABSOLUTE)
  endif()
  if(NOT EXISTS "${path}")
    file(GLOB known RELATIVE "${Trident_KERNEL_DIR}/${folder}" "${Trident_KERNEL_DIR}/${folder}/*.mlir")
    string(REPLACE ".mlir" "" known "${known}")
    string(REPLACE ";" ", " known "${known}")
    message(FATAL_ERROR
      "trident_add_kernel: '${name}' is neither a file nor a ${what} that comes with Trident (${known})")
  endif()
  set(${result} "${path}" PARENT_SCOPE)
endfunction()
