# One step of the installation test; CMakeLists.txt beside this file says what each variable is.
cmake_minimum_required(VERSION 3.25)

set(prefix "${WORK_DIR}/moved/prefix")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(expect_output program)
  execute_process(COMMAND "${program}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output STREQUAL "10 of 1000 numbers came back\n")
    message(FATAL_ERROR "${program} printed: ${output}")
  endif()
endfunction()

if(STEP STREQUAL install)
  # Installed in one place and moved to another: nothing may remember where it was first.
  file(REMOVE_RECURSE "${WORK_DIR}")
  run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/first/prefix")
  file(MAKE_DIRECTORY "${WORK_DIR}/moved")
  file(RENAME "${WORK_DIR}/first/prefix" "${prefix}")
  set(module "")
  if(TORCH)
    set(module lib/gossamer/libgossamer_torch.so)
  endif()
  foreach(file ${module} bin/gossamer include/gossamer/base/bytes.hpp ${LIBDIR}/libgossamer_base.a
      ${LIBDIR}/cmake/Gossamer/GossamerConfig.cmake ${LIBDIR}/pkgconfig/gossamer.pc)
    if(NOT EXISTS "${prefix}/${file}")
      message(FATAL_ERROR "the installation has no ${file}")
    endif()
  endforeach()
  run("${prefix}/bin/gossamer" --version)

elseif(STEP STREQUAL find_package)
  set(build "${WORK_DIR}/by_cmake")
  run("${CMAKE_COMMAND}" -S "${CONSUMER_DIR}" -B "${build}" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}")
  run("${CMAKE_COMMAND}" --build "${build}")
  expect_output("${build}/consumer")

elseif(STEP STREQUAL pkg_config)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
  execute_process(COMMAND pkg-config --cflags --libs gossamer
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(program "${WORK_DIR}/by_pkg_config")
  run("${CXX}" -std=c++20 "${CONSUMER_DIR}/main.cpp" ${flags} -o "${program}")
  expect_output("${program}")

elseif(STEP STREQUAL network)
  run("${prefix}/bin/gossamer" train --model mlp:16 --nodes 2 --rounds 2)

elseif(STEP STREQUAL own_loop)
  set(build "${WORK_DIR}/own_loop")
  run("${CMAKE_COMMAND}" -S "${EXAMPLES_DIR}/own_loop" -B "${build}" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}"
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")  # torch takes long to compile
  run("${CMAKE_COMMAND}" --build "${build}")
  # As docs/tutorials/01-own-loop.md says: the same numbers in every run.
  set(ENV{OPENBLAS_NUM_THREADS} 1)
  foreach(output first second)
    execute_process(COMMAND "${build}/own_loop" OUTPUT_VARIABLE ${output} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  message("${first}")
  if(NOT first STREQUAL second)
    message(FATAL_ERROR "the second run printed: ${second}")
  endif()
  # Guessing is right in one of ten.
  if(NOT first MATCHES "^loss 0\\.[0-9]+, accuracy 0\\.[89][0-9]*\n$")
    message(FATAL_ERROR "the nodes have not learnt")
  endif()

else()
  message(FATAL_ERROR "there is no step '${STEP}'")
endif()
