#include "gossamer/train/follower.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gossamer/experiment/partners.hpp"
#include "gossamer/store/mean_model.hpp"

namespace gossamer {

Follower::Follower(const Experiment& experiment, const RunOptions& options, NodeId self)
    : config_(experiment.config),
      tree_(mean_tree(experiment)),
      stop_(options.stop),
      report_(options.report),
      events_(options.events),
      self_(self),
      reports_(config_.report.empty() ? default_reports(experiment) : config_.report) {
  for (const double tolerance : config_.tolerances)
    outcome_.tolerances.push_back({tolerance, std::nullopt});
}

std::vector<Round> Follower::watched() const {
  if (!config_.tolerances.empty()) return {};
  std::vector<Round> rounds = reports_;
  rounds.push_back(config_.rounds);
  return rounds;
}

void Follower::operator()(const Measurement& measurement, const SeenModels& seen) {
  outcome_.last = measurement;
  for (ToleranceReached& wanted : outcome_.tolerances) {
    if (!wanted.first && measurement.error && *measurement.error <= wanted.tolerance)
      wanted.first = measurement;
  }
  double& least = measurement.round <= config_.rounds / 2 ? least_before_half_ : least_after_;
  if (measurement.error) least = std::min(least, *measurement.error);
  const bool is_stopped = stop_ != nullptr && stop_->line() == measurement.round;
  if (is_stopped || std::ranges::count(reports_, measurement.round) > 0)
    tell(measurement, seen.clock);
  refuse_divergence(measurement);
  if (is_stopped || measurement.round == config_.rounds) {
    keep_model(measurement, seen);
  }
}

void Follower::keep_model(const Measurement& measurement, const SeenModels& seen) {
  std::vector<float> model;
  std::vector<float> statistics;
  if (!seen.mean.empty()) {
    const auto size = static_cast<std::ptrdiff_t>(seen.models.front().size());
    model.assign(seen.mean.begin(), seen.mean.begin() + size);
    statistics.assign(seen.mean.begin() + size, seen.mean.end());
  } else if (measurement.is_own) {
    const auto copy = [](const FloatBuffer& numbers) {
      return std::vector<float>(numbers.data(), numbers.data() + numbers.size());
    };
    model = copy(seen.models.front());
    statistics = copy(seen.statistics.front());
  } else {
    model = mean_model(seen.models, tree_);
    statistics = mean_model(seen.statistics, tree_);
    outcome_.model_nodes = config_.nodes;
  }
  // No node computes a loss of its last model. The mean of all has the same bits wherever it is.
  const auto is_number = [](float number) { return std::isfinite(number); };
  if (!std::ranges::all_of(model, is_number) || !std::ranges::all_of(statistics, is_number)) {
    const std::string whose =
        measurement.is_own ? fmt::format("model of node {}", self_) : "averaged model";
    fail({Failure::Kind::kNonFinite, measurement.is_own ? self_ : 0, measurement.round, "model",
          fmt::format("the run has diverged: after {} rounds the {} has numbers that are not "
                      "finite",
                      measurement.round, whose)});
  }
  outcome_.model = std::move(model);
  outcome_.statistics = std::move(statistics);
}

void Follower::tell(const Measurement& measurement, Time clock) const {
  if (report_) report_(measurement);
  if (events_ == nullptr || !events_->wants(EventKind::kMeasured)) return;
  events_->take({self_, measurement.round, clock, Measured{measurement}});
}

RunOutcome Follower::finish() {
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

RunOutcome Follower::finish_early(Round completed) {
  outcome_.stopped_after = completed;
  return std::move(outcome_);
}

RunOutcome Follower::finish_without(NodeId node) {
  const Round measured = outcome_.last ? outcome_.last->round : 0;
  return finish(
      Failure{Failure::Kind::kLost, node, measured, "node",
              fmt::format("node {} stopped before the end of the run; what was measured of all "
                          "nodes ends after {} rounds",
                          node, measured)});
}

RunOutcome Follower::finish(const Failure& failure) {
  // What shows when all have completed a round comes before what happens in the next one. Which
  // node it was thrown in is chance, and so how far the others got after that.
  outcome_.failure = seen_ && seen_->round <= failure.round ? *seen_ : failure;
  return std::move(outcome_);
}

void Follower::refuse_divergence(const Measurement& measurement) {
  if (!measurement.error || *measurement.error <= config_.loss_limit) return;
  fail({std::isfinite(*measurement.error) ? Failure::Kind::kDiverged : Failure::Kind::kNonFinite,
        measurement.farthest_node, measurement.round, "consensus error",
        fmt::format("the run has diverged: after {} rounds the consensus error is {:.3g}; node {} "
                    "is farthest from the mean",
                    measurement.round, *measurement.error, measurement.farthest_node)});
}

void Follower::fail(const Failure& failure) {
  seen_ = failure;
  throw RunFailed(failure);
}

}  // namespace gossamer
