#pragma once

#include <string>

#include "gossamer/network/mpi/mpi.hpp"

namespace gossamer {

/// What the program and the module must agree on: both are built from one version of the sources.
inline constexpr const char* kMpiInterface = "gossamer mpi 1";

/// Name of the module's function, and what it is: the job, or nullptr and a sentence.
inline constexpr const char* kBeginMpi = "gossamer_begin_mpi";
using BeginMpi = MpiJob*(std::string& error);

inline constexpr const char* kMpiInterfaceOf = "gossamer_mpi_interface";

}  // namespace gossamer
