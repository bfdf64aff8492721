# gossamer_precompile(<layer's target>)
#
# With GOSSAMER_PRECOMPILE, what files of a layer include is parsed once for many of them: by compiling several at a time, as
# tests are, and by precompiling the headers that most of them read. Parsing is most of what compiling them takes: all layers
# together, 600 s of CPU file by file under sanitizers, parse in 90 s when each is one file. It would hide a header that a file
# forgets to include, so it is for presets that repeat what `release` compiles without.
function(gossamer_precompile target)
  if(GOSSAMER_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM gossamer_precompiled)
    set_target_properties(${target} PROPERTIES UNITY_BUILD "${CMAKE_UNITY_BUILD}")
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
