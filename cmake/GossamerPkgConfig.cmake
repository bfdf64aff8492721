# gossamer-<layer>.pc for each layer, and gossamer.pc for all of them. What a layer requires is what it was declared with,
# in gossamer_layer(): a program that compresses is not linked with the simulator.
#
# All under Requires, nothing under Requires.private: our libraries are static, and whoever links one links what it is
# built on.

# Relative to where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH GOSSAMER_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" GOSSAMER_PC_PREFIX "${GOSSAMER_PC_PREFIX}")

# gossamer_pkg_config_file(<name> DESCRIPTION ... [LIBS ...] [REQUIRES ...])
function(gossamer_pkg_config_file name)
  cmake_parse_arguments(GOSSAMER_PC "" DESCRIPTION "LIBS;REQUIRES" ${ARGN})
  set(GOSSAMER_PC_NAME ${name})
  list(JOIN GOSSAMER_PC_LIBS " " GOSSAMER_PC_LIBS)
  list(JOIN GOSSAMER_PC_REQUIRES ", " GOSSAMER_PC_REQUIRES)
  set(file "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/gossamer.pc.in" "${file}" @ONLY)
  install(FILES "${file}" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# gossamer_needed_layers(<variable> <layer>...)
#
# These layers without those that another of them brings: pkg-config would name a library once for each way to it. Sets
# <variable>_reached to all that they bring, themselves too. Lower layers have been here before: reached_by_<layer>.
function(gossamer_needed_layers variable)
  set(brought)
  foreach(layer IN LISTS ARGN)
    list(APPEND brought ${reached_by_${layer}})
  endforeach()
  set(needed ${ARGN})
  if(brought)
    list(REMOVE_ITEM needed ${brought})
  endif()
  set(${variable} ${needed} PARENT_SCOPE)
  set(${variable}_reached ${ARGN} ${brought} PARENT_SCOPE)
endfunction()

get_property(targets GLOBAL PROPERTY GOSSAMER_LAYERS)
set(layers)
foreach(target IN LISTS targets)
  string(REGEX REPLACE "^gossamer_" "" layer ${target})
  list(APPEND layers ${layer})
  get_target_property(below ${target} GOSSAMER_LAYERS)
  gossamer_needed_layers(requires ${below})
  set(reached_by_${layer} ${requires_reached})
  list(TRANSFORM requires PREPEND gossamer-)
  set(flags -l${target})
  # Modules that are opened on demand lie there; a program that uses them lies anywhere.
  if(layer STREQUAL base)
    list(APPEND flags "-Wl,-rpath,\${prefix}/lib/gossamer")
  endif()
  get_target_property(libraries ${target} GOSSAMER_LIBRARIES)
  foreach(library IN LISTS libraries)
    get_property(is_known GLOBAL PROPERTY "GOSSAMER_PKG_CONFIG ${library}" SET)
    if(NOT is_known)
      message(FATAL_ERROR "layer ${layer} links ${library}: GossamerDependencies.cmake does not say what that is to pkg-config")
    endif()
    get_property(words GLOBAL PROPERTY "GOSSAMER_PKG_CONFIG ${library}")
    if(words MATCHES "^-")
      list(APPEND flags ${words})
    elseif(words)
      list(APPEND requires "${words}")
    endif()
  endforeach()
  gossamer_pkg_config_file(gossamer-${layer}
    DESCRIPTION "${PROJECT_DESCRIPTION}: ${layer}" LIBS ${flags} REQUIRES ${requires})
endforeach()
gossamer_needed_layers(requires ${layers})
list(TRANSFORM requires PREPEND gossamer-)
gossamer_pkg_config_file(gossamer DESCRIPTION "${PROJECT_DESCRIPTION}" REQUIRES ${requires})
