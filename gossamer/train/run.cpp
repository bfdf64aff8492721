#include "gossamer/train/run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/network/sim/sim.hpp"
#include "gossamer/train/mean_model.hpp"
#include "gossamer/train/node_run.hpp"

namespace gossamer {
namespace {

/// Follows the measurements of a run: hands on those that are wanted, notes tolerances, and ends a
/// run that diverges. Called under the observatory's lock.
class Follower {
 public:
  Follower(const Experiment& experiment, const RunOptions& options)
      : config_(experiment.config),
        is_consensus_(experiment.consensus.has_value()),
        stop_(options.stop),
        report_(options.report),
        reports_(config_.report.empty() ? default_reports(experiment) : config_.report) {
    for (const double tolerance : config_.tolerances)
      outcome_.tolerances.push_back({tolerance, std::nullopt});
  }

  /// With tolerances every round is watched; the last one always is, for the summary.
  [[nodiscard]] std::vector<Round> watched() const {
    if (!config_.tolerances.empty()) return {};
    std::vector<Round> rounds = reports_;
    rounds.push_back(config_.rounds);
    return rounds;
  }

  void operator()(const Measurement& measurement, const SeenModels& seen) {
    outcome_.last = measurement;
    for (ToleranceReached& wanted : outcome_.tolerances) {
      if (!wanted.first && measurement.error <= wanted.tolerance) wanted.first = measurement;
    }
    double& least = measurement.round <= config_.rounds / 2 ? least_before_half_ : least_after_;
    least = std::min(least, measurement.error);
    const bool is_stopped = stop_ != nullptr && stop_->line() == measurement.round;
    if (report_ && (is_stopped || std::ranges::count(reports_, measurement.round) > 0))
      report_(measurement);
    refuse_divergence(measurement);
    if (is_stopped || measurement.round == config_.rounds) {
      outcome_.model = mean_model(seen.models);
      outcome_.statistics = mean_model(seen.statistics);
    }
  }

  /// Of a run that came to its end.
  [[nodiscard]] RunOutcome finish() {
    const bool missed = std::ranges::any_of(
        outcome_.tolerances, [](const ToleranceReached& wanted) { return !wanted.first; });
    // Of a method that only hovers, the last round says nothing: the best of each half does. One
    // that still converges gets far more than 5 % closer in half of its rounds.
    if (missed && least_after_ > 0.95 * least_before_half_) {
      outcome_.failure = Failure{
          Failure::Kind::kStalled, outcome_.last->farthest_node, outcome_.last->round,
          "consensus error",
          fmt::format("consensus has stalled: the error came down to {:.3g} in the first {} rounds "
                      "and to {:.3g} in the {} after them; node {} is farthest from the mean",
                      least_before_half_, config_.rounds / 2, least_after_,
                      config_.rounds - config_.rounds / 2, outcome_.last->farthest_node)};
    }
    return std::move(outcome_);
  }

  /// Of a run that was stopped.
  [[nodiscard]] RunOutcome finish_early(Round completed) {
    outcome_.stopped_after = completed;
    return std::move(outcome_);
  }

  /// Of a run whose other nodes came to their end.
  [[nodiscard]] RunOutcome finish_without(NodeId node) {
    const Round measured = outcome_.last ? outcome_.last->round : 0;
    return finish(Failure{
        Failure::Kind::kLost, node, measured, "node",
        fmt::format("node {} stopped before the end of the run; what was measured of all nodes "
                    "ends after {} rounds",
                    node, measured)});
  }

  [[nodiscard]] RunOutcome finish(const Failure& failure) {
    outcome_.failure = failure;
    return std::move(outcome_);
  }

 private:
  void refuse_divergence(const Measurement& measurement) const {
    if (measurement.watched <= config_.loss_limit) return;
    const std::string quantity = is_consensus_ ? "consensus error" : "objective";
    const bool finite = std::isfinite(measurement.watched);
    throw RunFailed(
        {finite ? Failure::Kind::kDiverged : Failure::Kind::kNonFinite, measurement.farthest_node,
         measurement.round, quantity,
         fmt::format("the run has diverged: after {} rounds the {} is {:.3g}; node {} is "
                     "farthest from the mean",
                     measurement.round, quantity, measurement.watched, measurement.farthest_node)});
  }

  const RunConfig& config_;
  bool is_consensus_;
  const StopLine* stop_;
  std::function<void(const Measurement&)> report_;
  std::vector<Round> reports_;
  // The least error of the first half of the rounds, and of the rest.
  double least_before_half_ = std::numeric_limits<double>::infinity();
  double least_after_ = std::numeric_limits<double>::infinity();
  RunOutcome outcome_;
};

/// Who talks to whom, so that a simulated network has these routes and no others.
std::vector<std::pair<NodeId, NodeId>> pairs_of(const Experiment& experiment) {
  std::vector<std::pair<NodeId, NodeId>> pairs;
  const NodeId n = experiment.config.nodes;
  const Topology& topology = *experiment.topology;
  switch (experiment.algorithm.reach) {
    case Reach::kNeighbours:
      for (Round t = 0; t < topology.period(); ++t) {
        for (NodeId id = 0; id < n; ++id) {
          for (const Edge& edge : topology.at(id, t).neighbours)
            pairs.push_back(std::minmax(id, edge.peer));
        }
      }
      break;
    case Reach::kRing:
      for (NodeId id = 0; id < n && n > 1; ++id)
        pairs.push_back(std::minmax(id, (id + 1) % n));
      break;
    case Reach::kEveryone:
      break;  // an empty list is everybody
    case Reach::kCoordinator:
      for (NodeId id = 0; id < n; ++id)
        pairs.emplace_back(id, n);
      break;
  }
  std::ranges::sort(pairs);
  const auto rest = std::ranges::unique(pairs);
  pairs.erase(rest.begin(), rest.end());
  return pairs;
}

Result<void> run_world(const Experiment& experiment,
                       const std::function<void(Network&)>& node_main) {
  const RunConfig& config = experiment.config;
  if (config.network == "inproc") {
    run_inproc(experiment.endpoints(), node_main);
    return {};
  }
  SimSetup sim = config.sim;
  sim.hosts = config.nodes;
  sim.pairs = pairs_of(experiment);
  return run_sim(experiment.endpoints(), sim, node_main);
}

}  // namespace

std::string_view name_of(Failure::Kind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"diverged", "non-finite", "stalled", "lost",
                                                      "file"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Result<RunOutcome> run_experiment(const Experiment& experiment, const RunOptions& options) {
  Follower follower(experiment, options);
  Observatory observatory(
      experiment, follower.watched(),
      [&](const Measurement& measurement, const SeenModels& seen) { follower(measurement, seen); });
  const SharedByNodes shared{experiment,   observatory,  options.checkpoints, options.resume_from,
                             options.stop, options.tick, options.trace};
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
