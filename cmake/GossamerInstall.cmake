# What `cmake --install` puts where: the libraries, their headers, the program, and what find_package(Gossamer) and
# pkg-config need. Included last: every layer has registered itself in GOSSAMER_LAYERS, lowest first.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY GOSSAMER_LAYERS)

# All layers at once, for users who do not care which.
add_library(gossamer_all INTERFACE)
add_library(gossamer::gossamer ALIAS gossamer_all)
set_target_properties(gossamer_all PROPERTIES EXPORT_NAME gossamer)
target_link_libraries(gossamer_all INTERFACE ${layers})

install(TARGETS ${layers} gossamer_all EXPORT GossamerTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET gossamer_program)
  install(TARGETS gossamer_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET gossamer_torch)
  # Where the program looks for it (gossamer/base/module.cpp): whatever CMAKE_INSTALL_LIBDIR is.
  install(TARGETS gossamer_torch LIBRARY DESTINATION lib/gossamer)
  # Torch may lie where the loader does not look by itself.
  set_target_properties(gossamer_torch PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
endif()
if(TARGET gossamer_mpi)
  install(TARGETS gossamer_mpi LIBRARY DESTINATION lib/gossamer)
  set_target_properties(gossamer_mpi PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
endif()
# What users include, and what that includes: found at that moment, since headers change without CMake being run.
install(CODE "set(source \"${PROJECT_SOURCE_DIR}\")
  set(destination \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT cmake/install_headers.cmake)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(Gossamer)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Gossamer)
install(EXPORT GossamerTargets NAMESPACE gossamer:: DESTINATION ${package_dir})
configure_package_config_file(cmake/GossamerConfig.cmake.in "${PROJECT_BINARY_DIR}/GossamerConfig.cmake"
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/GossamerConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/GossamerConfig.cmake" "${PROJECT_BINARY_DIR}/GossamerConfigVersion.cmake"
  DESTINATION ${package_dir})

include(GossamerPkgConfig)
