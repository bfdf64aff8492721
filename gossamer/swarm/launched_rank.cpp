#include "gossamer/swarm/launched_rank.hpp"

#include <array>
#include <cstdlib>

#include "gossamer/base/text/parse_number.hpp"

namespace gossamer {
namespace {

/// Where a launcher leaves the rank and the number of ranks.
struct Variables {
  const char* rank;
  const char* size;
};

constexpr std::array kLaunchers = {
    Variables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // Open MPI
    Variables{"PMI_RANK", "PMI_SIZE"},                          // MPICH, Intel MPI
    // Slurm. SLURM_NTASKS is not asked: a batch script has it too, which is no task of srun's.
    Variables{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
    Variables{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
};

std::optional<NodeId> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::nullopt : parse_number<NodeId>(text);
}

}  // namespace

std::optional<LaunchedRank> launched_rank() {
  for (const Variables& launcher : kLaunchers) {
    const std::optional<NodeId> rank = number_in(launcher.rank);
    const std::optional<NodeId> size = number_in(launcher.size);
    if (rank && size && *rank < *size) return LaunchedRank{*rank, *size};
  }
  return std::nullopt;
}

}  // namespace gossamer
