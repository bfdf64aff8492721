# One step of the installation test; CMakeLists.txt beside this file says what each variable is.
cmake_minimum_required(VERSION 3.25)

set(prefix "${WORK_DIR}/moved/prefix")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(expect_output program expected)
  execute_process(COMMAND "${program}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output STREQUAL "${expected}\n")
    message(FATAL_ERROR "${program} printed: ${output}")
  endif()
endfunction()

# The code of the README's only block in this language.
function(readme_block language variable)
  file(READ "${SOURCE_DIR}/README.md" readme)
  if(NOT readme MATCHES "\n```${language}\n([^`]*)\n```\n")
    message(FATAL_ERROR "the README has no block of ${language}")
  endif()
  set(${variable} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# Compiles and links a source with what pkg-config says of a module.
function(build_by_pkg_config module source program)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
  execute_process(COMMAND pkg-config --cflags --libs ${module}
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  # Some systems leave out unasked what a program does not use: here everything that is named counts.
  run("${CXX}" -std=c++20 -Wl,--no-as-needed "${source}" ${flags} -o "${program}")
endfunction()

# The shared libraries that a program asks its loader for, as readelf names them.
function(needed_libraries program variable)
  execute_process(COMMAND readelf -d "${program}" OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "Shared library: [^\n]*" needed "${sections}")
  set(${variable} "${needed}" PARENT_SCOPE)
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
  foreach(file ${module} bin/gossamer include/gossamer/gossamer.hpp ${LIBDIR}/libgossamer_base.a
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
  expect_output("${build}/consumer" "10 of 1000 numbers came back")

elseif(STEP STREQUAL headers)
  # What the compiler reads for those who include the two headers of the public interface. Not torch itself, which -MG
  # lets be missing.
  set(read)
  foreach(header gossamer.hpp torch.hpp)
    execute_process(COMMAND "${CXX}" -std=c++20 -M -MG -x c++ "-I${prefix}/include" "-I${EIGEN}"
      "${prefix}/include/gossamer/${header}" OUTPUT_VARIABLE rule COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^ \\\n]+/include/gossamer/[^ \\\n]+" files "${rule}")
    list(APPEND read ${files})
  endforeach()
  list(REMOVE_DUPLICATES read)
  list(SORT read)
  file(GLOB_RECURSE installed "${prefix}/include/*")
  list(SORT installed)
  if(NOT installed STREQUAL read)
    message(FATAL_ERROR "installed: ${installed}\nread: ${read}")
  endif()

elseif(STEP STREQUAL pkg_config)
  set(program "${WORK_DIR}/by_pkg_config")
  build_by_pkg_config(gossamer "${CONSUMER_DIR}/main.cpp" "${program}")
  expect_output("${program}" "10 of 1000 numbers came back")

elseif(STEP STREQUAL one_layer)
  # The README's program, with the one layer that it uses, and with all of them to show that the test sees what they bring.
  readme_block(cpp code)
  set(source "${WORK_DIR}/one_layer.cpp")
  file(WRITE "${source}" "${code}\n")
  foreach(module gossamer-compress gossamer)
    build_by_pkg_config(${module} "${source}" "${WORK_DIR}/${module}")
    expect_output("${WORK_DIR}/${module}" "52 bytes instead of 4000")
  endforeach()
  needed_libraries("${WORK_DIR}/gossamer-compress" by_one)
  needed_libraries("${WORK_DIR}/gossamer" by_all)
  foreach(foreign simgrid ssl crypto tomlplusplus png turbojpeg xxhash)
    if(by_one MATCHES "lib${foreign}")
      message(FATAL_ERROR "gossamer-compress links ${foreign}: ${by_one}")
    endif()
    if(NOT by_all MATCHES "lib${foreign}")
      message(FATAL_ERROR "gossamer does not link ${foreign}: ${by_all}")
    endif()
  endforeach()

elseif(STEP STREQUAL readme)
  # As the README says it: its program, by its lines of CMake and by its command.
  set(folder "${WORK_DIR}/readme")
  readme_block(cpp code)
  file(WRITE "${folder}/main.cpp" "${code}\n")
  readme_block(cmake lists)
  file(WRITE "${folder}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(Readme LANGUAGES CXX)\n${lists}\n")
  run("${CMAKE_COMMAND}" -S "${folder}" -B "${folder}/build" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}")
  run("${CMAKE_COMMAND}" --build "${folder}/build")
  expect_output("${folder}/build/app" "52 bytes instead of 4000")
  readme_block(sh command)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
  execute_process(COMMAND sh -c "${command}" WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  expect_output("${folder}/app" "52 bytes instead of 4000")

elseif(STEP STREQUAL network)
  run("${prefix}/bin/gossamer" train --model mlp:16 --nodes 2 --rounds 2)

elseif(STEP STREQUAL own_loop)
  set(build "${WORK_DIR}/own_loop")
  run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/examples/own_loop" -B "${build}" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}"
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")  # torch takes long to compile
  run("${CMAKE_COMMAND}" --build "${build}")
  # As docs/tutorials/01-own-loop.md says: the same numbers in every run.
  set(ENV{OPENBLAS_NUM_THREADS} 1)
  set(commands own)
  set(command_own "${build}/own_loop" --nodes 4)
  if(MPIEXEC)
    # It lies apart from Gossamer, and finds the module for MPI all the same.
    list(APPEND commands ranks)
    set(command_ranks "${MPIEXEC}" -n 4 "${build}/own_loop")
  endif()
  foreach(which IN LISTS commands)
    execute_process(COMMAND ${command_${which}} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
    message("${printed}")
    # Guessing is right in one of ten.
    if(NOT printed MATCHES "^[89][0-9][0-9][0-9] of 10000 right\n$")
      message(FATAL_ERROR "the nodes have not learnt")
    endif()
  endforeach()

else()
  message(FATAL_ERROR "there is no step '${STEP}'")
endif()
