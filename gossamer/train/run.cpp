#include "gossamer/train/run.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gossamer/member/talking_pairs.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/network/sim/sim.hpp"
#include "gossamer/train/follower.hpp"
#include "gossamer/train/member_run.hpp"
#include "gossamer/train/node_run.hpp"

namespace gossamer {
namespace {

Result<void> run_world(const Experiment& experiment,
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

Result<RunOutcome> run_experiment(const Experiment& experiment, const RunOptions& options) {
  Follower follower(experiment, options);
  Observatory observatory(
      experiment, follower.watched(),
      [&](const Measurement& measurement, const SeenModels& seen) { follower(measurement, seen); });
  const SharedByLoops shared{experiment, observatory, options.tests_own_models};
  // A byte for each, so that nodes may note their end at the same time.
  std::vector<char> has_finished(experiment.endpoints(), 0);
  std::vector<std::optional<Failure>> failures(experiment.endpoints());
  const Result<void> ran = run_world(experiment, [&](Network& network) {
    const NodeId id = network.self();
    try {
      run_member(experiment, network, options, std::nullopt,
                 [&](Member& member) { NodeRun(member, shared).run(); });
    } catch (const RunFailed& failed) {
      failures[id] = failed.failure;
    }
    has_finished[id] = 1;
  });
  if (!ran) return ran.error();
  if (const std::optional<Failure> cause = first_cause(failures)) return follower.finish(*cause);
  // A machine may stop when nobody waits for its nodes any more.
  const auto stopped = std::ranges::find(has_finished, 0);
  if (stopped != has_finished.end())
    return follower.finish_without(static_cast<NodeId>(stopped - has_finished.begin()));
  if (options.stop != nullptr && options.stop->line())
    return follower.finish_early(*options.stop->line());
  return follower.finish();
}

}  // namespace gossamer
