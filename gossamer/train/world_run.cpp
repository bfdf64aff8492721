#include "gossamer/train/world_run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/member/talking_pairs.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/network/sim/sim.hpp"

namespace gossamer {
namespace {

Result<void> run_endpoints(const Experiment& experiment,
                           const std::function<void(Network&)>& node_main) {
  const RunConfig& config = experiment.config;
  if (config.network == "inproc") {
    run_inproc(experiment.endpoints(), node_main);
    return {};
  }
  if (config.network != "sim") {
    return Error{fmt::format("{} has one process for each node: this one cannot run all of them",
                             config.network)};
  }
  SimSetup sim = config.sim;
  sim.hosts = config.nodes;
  sim.pairs = talking_pairs(experiment.algorithm.reach, *experiment.topology);
  return run_sim(experiment.endpoints(), sim, node_main);
}

}  // namespace

Result<WorldEnd> run_world(const Experiment& experiment, const RunOptions& options,
                           const Loop& loop) {
  WorldEnd end{std::vector<std::optional<Failure>>(experiment.endpoints()), std::nullopt};
  // A byte for each, so that nodes may leave word of their end at the same time.
  std::vector<char> has_finished(experiment.endpoints(), 0);
  const Result<void> ran = run_endpoints(experiment, [&](Network& network) {
    const NodeId id = network.self();
    try {
      run_member(experiment, network, options, std::nullopt, loop);
    } catch (const RunFailed& failed) {
      end.failures[id] = failed.failure;
    }
    has_finished[id] = 1;
  });
  if (!ran) return ran.error();
  const auto left_behind = std::ranges::find(has_finished, 0);
  if (left_behind != has_finished.end())
    end.unfinished = static_cast<NodeId>(left_behind - has_finished.begin());
  return end;
}

}  // namespace gossamer
