# gossamer_precompile(<layer's target>)
#
# With GOSSAMER_PRECOMPILE, the headers that most files of a layer include are parsed once. It would hide a header that a file
# forgets to include, so it is for presets that repeat what `release` compiles without.
function(gossamer_precompile target)
  if(GOSSAMER_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM gossamer_precompiled)
  endif()
endfunction()

if(GOSSAMER_PRECOMPILE)
  # Without this, ccache passes over every file that uses a precompiled header.
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
  endif()

  set(empty "${PROJECT_BINARY_DIR}/precompiled.cpp")
  file(CONFIGURE OUTPUT "${empty}" CONTENT "")
  add_library(gossamer_precompiled STATIC "${empty}")
  target_link_libraries(gossamer_precompiled PRIVATE fmt::fmt Eigen3::Eigen gossamer::options)
  target_precompile_headers(gossamer_precompiled PRIVATE
    <algorithm> <functional> <memory> <optional> <span> <string> <vector> <Eigen/Core> <fmt/format.h>)
endif()
