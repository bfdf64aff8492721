#pragma once

#include "gossamer/network/mpi/mpi.hpp"

namespace gossamer::testing {

/// The job that the ranks of a test program share, from its first test to its last.
[[nodiscard]] MpiJob& job();

}  // namespace gossamer::testing
