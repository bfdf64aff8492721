#include "gossamer/train/run.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gossamer/experiment/talking_pairs.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/network/sim/sim.hpp"
#include "gossamer/train/follower.hpp"
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
  sim.pairs = talking_pairs(experiment);
  return run_sim(experiment.endpoints(), sim, node_main);
}

}  // namespace

std::string_view name_of(Failure::Kind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"diverged", "non-finite", "stalled",
                                                      "lost",     "file",       "refused"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Result<RunOutcome> run_experiment(const Experiment& experiment, const RunOptions& options) {
  Follower follower(experiment, options);
  Observatory observatory(
      experiment, follower.watched(),
      [&](const Measurement& measurement, const SeenModels& seen) { follower(measurement, seen); });
  const SharedByNodes shared{
      experiment,   observatory,  options.checkpoints, options.resume_from,
      options.stop, options.tick, options.trace,       options.tests_own_models};
  // A byte for each, so that nodes may note their end at the same time.
  std::vector<char> has_finished(experiment.endpoints(), 0);
  try {
    const Result<void> ran = run_world(experiment, [&](Network& network) {
      NodeRun(network, shared).run();
      has_finished[network.self()] = 1;
    });
    if (!ran) return ran.error();
  } catch (const RunFailed& failed) {
    return follower.finish(failed.failure);
  }
  // A machine may stop when nobody waits for its nodes any more.
  const auto stopped = std::ranges::find(has_finished, 0);
  if (stopped != has_finished.end())
    return follower.finish_without(static_cast<NodeId>(stopped - has_finished.begin()));
  if (options.stop != nullptr && options.stop->line())
    return follower.finish_early(*options.stop->line());
  return follower.finish();
}

}  // namespace gossamer
