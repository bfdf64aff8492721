# Everything here comes from Debian by the package named beside it; scripts/lib/packages lists the same names.
#
# gossamer_in_pkg_config(<target> <words>): what a .pc file says of a library that a layer links: a module of pkg-config's
# with its version, a flag, or nothing where headers are all there is to it and no header of ours includes them.
function(gossamer_in_pkg_config target words)
  set_property(GLOBAL PROPERTY "GOSSAMER_PKG_CONFIG ${target}" "${words}")
endfunction()

# gossamer_find_module(<name> <module> <version>): finds a library by pkg-config, as PkgConfig::<name>.
macro(gossamer_find_module name module version)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET "${module}>=${version}")
  gossamer_in_pkg_config(PkgConfig::${name} "${module} >= ${version}")
endmacro()

find_package(fmt 9 REQUIRED)                    # libfmt-dev
find_package(Eigen3 3.4 REQUIRED NO_MODULE)     # libeigen3-dev
find_package(CLI11 2.1 REQUIRED)                # libcli11-dev
find_package(nlohmann_json 3.11 REQUIRED)       # nlohmann-json3-dev
find_package(ZLIB 1.2 REQUIRED)                 # zlib1g-dev
find_package(OpenSSL 3.0 REQUIRED)             # libssl-dev
find_package(PNG 1.6 REQUIRED)                  # libpng-dev
find_path(GOSSAMER_ASIO asio.hpp REQUIRED)      # libasio-dev
find_package(PkgConfig REQUIRED)                # pkg-config
gossamer_find_module(hwy libhwy 1.0)                  # libhwy-dev
gossamer_find_module(xxhash libxxhash 0.8)            # libxxhash-dev
gossamer_find_module(turbojpeg libturbojpeg 2.1)      # libturbojpeg0-dev
gossamer_find_module(tomlplusplus tomlplusplus 3.3)   # libtomlplusplus-dev
gossamer_find_module(simgrid simgrid 3.32)            # libsimgrid-dev
find_file(GOSSAMER_CHART_JS chart.js/chart.min.js PATHS /usr/share/javascript REQUIRED)  # libjs-chart.js
if(GOSSAMER_TORCH)
  find_package(Torch 1.13 REQUIRED)             # libtorch-dev; libopenblas-dev makes it 14-22 times faster
endif()
if(GOSSAMER_MPI)
  find_package(MPI 3.0 REQUIRED COMPONENTS CXX)  # libopenmpi-dev, openmpi-bin; or libmpich-dev, mpich
endif()
if(GOSSAMER_TESTS)
  find_package(GTest 1.12 REQUIRED)             # libgtest-dev, libgmock-dev
endif()
if(GOSSAMER_BENCH)
  find_package(benchmark 1.7 REQUIRED)          # libbenchmark-dev
endif()

gossamer_in_pkg_config(fmt::fmt "fmt >= 9")
gossamer_in_pkg_config(Eigen3::Eigen "eigen3 >= 3.4")
gossamer_in_pkg_config(ZLIB::ZLIB "zlib >= 1.2")
gossamer_in_pkg_config(PNG::PNG "libpng >= 1.6")
gossamer_in_pkg_config(OpenSSL::SSL "openssl >= 3.0")
gossamer_in_pkg_config(nlohmann_json::nlohmann_json "")
gossamer_in_pkg_config(Threads::Threads -pthread)
foreach(library IN LISTS CMAKE_DL_LIBS)
  gossamer_in_pkg_config(${library} -l${library})
endforeach()
