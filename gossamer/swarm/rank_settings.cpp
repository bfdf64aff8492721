#include "gossamer/swarm/rank_settings.hpp"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/swarm/launched_rank.hpp"

namespace gossamer {

Result<Processes> processes_for(const RunRequest& request) {
  const std::optional<LaunchedRank> launched = launched_rank();
  if (!launched) return Processes();
  if (launched->size == 1 && request.named_network() != "mpi") return Processes();
  return Processes::of_launcher();
}

Result<void> fit_to_processes(RunConfig& config, const RunRequest& request,
                              const Processes& processes) {
  if (!processes.are_many()) {
    if (config.network != "mpi") return {};
    return Error{
        "network mpi needs a process for each node: start it as 'mpirun -n 8 gossamer train ...', "
        "or give --network inproc"};
  }
  const std::optional<std::string> named = request.named_network();
  if (named.value_or(config.network) == "sim" || named == "inproc") {
    return Error{fmt::format("under mpirun the network is mpi: leave out mpirun, or --network {}",
                             config.network)};
  }
  config.network = "mpi";
  const Result<AlgorithmInfo> algorithm = find_algorithm(config.algorithm);
  if (!algorithm) return algorithm.error();
  const bool coordinated = algorithm.value().reach == Reach::kCoordinator;
  const NodeId ranks = processes.count();
  if (coordinated && ranks == 1) {
    return Error{
        fmt::format("{} needs a rank for its coordinator beside those that train: start "
                    "two at least",
                    config.algorithm)};
  }
  const NodeId nodes = coordinated ? ranks - 1 : ranks;
  if (config.nodes != 0 && config.nodes != nodes) {
    return Error{fmt::format(
        "{} nodes{} are asked for, but {} ranks were started: give mpirun -n {}, or leave out "
        "--nodes",
        config.nodes, coordinated ? " and a coordinator" : "", ranks,
        config.nodes + (coordinated ? 1 : 0))};
  }
  config.nodes = nodes;
  return {};
}

}  // namespace gossamer
