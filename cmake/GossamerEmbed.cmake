# gossamer_embed(<target> <namespace> <name> <file>)
#
# Puts the bytes of a file into a library. They are read with `std::string_view <namespace>::<name>()`, which the
# caller declares in a header. The assembler copies the file as it is: no array to generate, nothing to parse.
set(GOSSAMER_EMBED_TEMPLATE "${CMAKE_CURRENT_LIST_DIR}/embedded_file.cpp.in")

function(gossamer_embed target namespace name file)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "there is no file ${file} to embed")
  endif()
  string(REPLACE "::" "_" symbol "${namespace}_${name}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp")
  configure_file("${GOSSAMER_EMBED_TEMPLATE}" "${source}" @ONLY)
  # The compiler does not tell the build about a file that only the assembler reads; a file that is compiled with others would
  # not tell it either.
  set_source_files_properties("${source}" PROPERTIES
    OBJECT_DEPENDS "${file}" SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE "${source}")
endfunction()
