#include "apps/processes/rank_settings.hpp"

#include <optional>
#include <string>

#include "apps/command.hpp"
#include "apps/processes/launched_rank.hpp"
#include <fmt/format.h>

#include "gossamer/algorithms/registry.hpp"

namespace gossamer::cli {
namespace {

/// The network that the command line names; a file's may be that of an earlier run.
std::optional<std::string> named_network(const RunArguments& arguments) {
  std::optional<std::string> name;
  constexpr std::string_view kAssignment = "network=";
  for (const std::string& assignment : arguments.assignments) {
    if (assignment.starts_with(kAssignment)) name = assignment.substr(kAssignment.size());
  }
  for (const auto& [key, text] : arguments.given) {
    if (key == "network") name = text;
  }
  return name;
}

bool has_coordinator(const std::string& algorithm) {
  return value_or_throw(find_algorithm(algorithm)).reach == Reach::kCoordinator;
}

}  // namespace

Processes processes_for(const RunArguments& arguments) {
  const std::optional<LaunchedRank> launched = launched_rank();
  if (!launched) return {};
  if (launched->size == 1 && named_network(arguments) != "mpi") return {};
  return Processes::of_launcher();
}

void fit_to_processes(RunConfig& config, const RunArguments& arguments,
                      const Processes& processes) {
  if (!processes.are_many()) {
    if (config.network != "mpi") return;
    throw BadInput(
        "network mpi needs a process for each node: start it as 'mpirun -n 8 gossamer train ...', "
        "or give --network inproc");
  }
  if (named_network(arguments).value_or(config.network) == "sim" ||
      named_network(arguments) == "inproc") {
    throw BadInput(fmt::format("under mpirun the network is mpi: leave out mpirun, or --network {}",
                               config.network));
  }
  config.network = "mpi";
  const NodeId ranks = processes.count();
  const bool coordinated = has_coordinator(config.algorithm);
  if (coordinated && ranks == 1) {
    throw BadInput(
        fmt::format("{} needs a rank for its coordinator beside those that train: start "
                    "two at least",
                    config.algorithm));
  }
  const NodeId nodes = coordinated ? ranks - 1 : ranks;
  if (config.nodes != 0 && config.nodes != nodes) {
    throw BadInput(
        fmt::format("{} nodes{} are asked for, but {} ranks were started: give mpirun -n "
                    "{}, or leave out --nodes",
                    config.nodes, coordinated ? " and a coordinator" : "", ranks,
                    config.nodes + (coordinated ? 1 : 0)));
  }
  config.nodes = nodes;
}

}  // namespace gossamer::cli
