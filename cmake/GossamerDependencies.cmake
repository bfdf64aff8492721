# Everything here comes from Debian by the package named beside it; scripts/lib/packages lists the same names.
find_package(fmt 9 REQUIRED)                    # libfmt-dev
find_package(Eigen3 3.4 REQUIRED NO_MODULE)     # libeigen3-dev
find_package(CLI11 2.1 REQUIRED)                # libcli11-dev
find_package(nlohmann_json 3.11 REQUIRED)       # nlohmann-json3-dev
find_package(ZLIB 1.2 REQUIRED)                 # zlib1g-dev
find_package(OpenSSL 3.0 REQUIRED)             # libssl-dev
find_package(PNG 1.6 REQUIRED)                  # libpng-dev
find_path(GOSSAMER_ASIO asio.hpp REQUIRED)      # libasio-dev
find_package(PkgConfig REQUIRED)                # pkg-config
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy>=1.0)          # libhwy-dev
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash>=0.8)    # libxxhash-dev
pkg_check_modules(turbojpeg REQUIRED IMPORTED_TARGET libturbojpeg>=2.1)     # libturbojpeg0-dev
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus>=3.3)  # libtomlplusplus-dev
pkg_check_modules(simgrid REQUIRED IMPORTED_TARGET simgrid>=3.32)    # libsimgrid-dev
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
