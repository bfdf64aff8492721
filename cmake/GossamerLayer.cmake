# gossamer_layer(<folder> SOURCES ... [LAYERS ...] [PUBLIC_LIBRARIES ...] [PRIVATE_LIBRARIES ...])
#
# One folder under gossamer/ is one library, gossamer::<folder>. LAYERS are the folders below it that it may include;
# tests/layers holds every #include to them.
function(gossamer_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;LAYERS;PUBLIC_LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  set(target gossamer_${name})
  add_library(${target} STATIC ${LAYER_SOURCES})
  add_library(gossamer::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} UNITY_BUILD OFF)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
  # For pkg-config (GossamerPkgConfig.cmake).
  set(libraries ${LAYER_PUBLIC_LIBRARIES} ${LAYER_PRIVATE_LIBRARIES})
  set_target_properties(${target} PROPERTIES GOSSAMER_LAYERS "${LAYER_LAYERS}" GOSSAMER_LIBRARIES "${libraries}")
  list(JOIN LAYER_LAYERS " " seen)
  set_property(GLOBAL APPEND_STRING PROPERTY GOSSAMER_PICTURE "${name}: ${seen}\n")
  list(TRANSFORM LAYER_LAYERS PREPEND gossamer::)
  target_link_libraries(${target}
    PUBLIC ${LAYER_LAYERS} ${LAYER_PUBLIC_LIBRARIES}
    PRIVATE ${LAYER_PRIVATE_LIBRARIES} $<BUILD_INTERFACE:gossamer::options>)
  # Highway's kernels are compiled for another processor than the rest, and each file once per instruction set.
  if(NOT name STREQUAL math)
    gossamer_precompile(${target})
  endif()
  set_property(GLOBAL APPEND PROPERTY GOSSAMER_LAYERS ${target})
endfunction()
