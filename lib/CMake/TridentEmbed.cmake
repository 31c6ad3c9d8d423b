# trident_embed(library function files...): gives `library` a function of namespace trident,
#   llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> function();
# of the files' names without folder and their texts, so that the tools need no search path. Run as a script it writes that source.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(trident_embed library function)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
    set(script ${PROJECT_SOURCE_DIR}/lib/CMake/TridentEmbed.cmake)
    add_custom_command(OUTPUT ${source} DEPENDS ${ARGN} ${script} VERBATIM
      COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DFUNCTION=${function} "-DFILES=${ARGN}" -P ${script})
    target_sources(${library} PRIVATE ${source})
  endfunction()
  return()
endif()

set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${SOURCE} "// Written by TridentEmbed.cmake.
#include \"llvm/ADT/ArrayRef.h\"
#include \"llvm/ADT/StringRef.h\"
#include <utility>
#include <vector>

namespace trident {
llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> ${FUNCTION}() {
  static const std::vector<std::pair<llvm::StringRef, llvm::StringRef>> texts = {
${rows}  };
  return texts;
}
} // namespace trident
")
