#pragma once

#include <optional>
#include <string>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// This process as mpirun or srun has started it.
struct LaunchedRank {
  NodeId rank = 0;
  NodeId size = 1;
};

/// As the environment says; nothing for a process that was started by itself. What torchrun sets is
/// not MPI's.
[[nodiscard]] std::optional<LaunchedRank> launched_rank();

}  // namespace gossamer
