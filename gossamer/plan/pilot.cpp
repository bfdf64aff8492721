#include "gossamer/plan/pilot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gossamer/topology/registry.hpp"
#include "gossamer/train/run.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer {
namespace {

using Quantity = Target::Quantity;

std::optional<double> error_of(const Evaluation& evaluation, Quantity quantity) {
  if (quantity == Quantity::kLoss) return evaluation.loss;
  if (!evaluation.accuracy) return std::nullopt;
  return 1.0 - *evaluation.accuracy;
}

std::optional<double> error_of(const Measurement& measurement, Quantity quantity) {
  if (measurement.tested) return error_of(measurement.tested->mean_model, quantity);
  return quantity == Quantity::kLoss ? measurement.objective : std::nullopt;
}

// Each 1.25 times as late as the one before, up to the last. Enough to see the trend of errors that
// go up and down by some percent, and few, because a test can take longer than the rounds between.
std::vector<Round> reports_within(Round rounds) {
  constexpr int kReports = 16;
  std::vector<Round> reports;
  for (int i = kReports - 1; i >= 0; --i) {
    const double report = static_cast<double>(rounds) * std::pow(1.25, -i);
    const auto whole = static_cast<Round>(std::max(1.0, std::round(report)));
    if (reports.empty() || whole > reports.back()) reports.push_back(whole);
  }
  return reports;
}

NodeId nodes_of(const Candidate& candidate, const PilotSetup& setup) {
  const NodeId few = std::min(setup.config.nodes, setup.most_nodes);
  return make_topology(candidate.topology, few, setup.config.seed) ? few : setup.config.nodes;
}

RunConfig config_of(const Candidate& candidate, const PilotSetup& setup) {
  RunConfig config = setup.config;
  config.nodes = nodes_of(candidate, setup);
  config.topology = candidate.topology;
  config.algorithm = candidate.method.algorithm;
  config.compressor = candidate.method.compressor;
  config.gamma = candidate.method.gamma;
  config.local_steps = candidate.method.local_steps;
  config.rounds = setup.rounds;
  config.epochs = 0;
  config.report = reports_within(setup.rounds);
  config.network = "inproc";
  return config;
}

}  // namespace

Result<void> check_target(const Task& task, const Target& target) {
  if (target.quantity == Quantity::kAccuracy && !(target.value > 0 && target.value < 1))
    return Error{fmt::format("an accuracy is between 0 and 1, as 0.85; {} is not", target.value)};
  if (!(std::isfinite(target.value) && target.value > 0))
    return Error{fmt::format("a loss to reach is above 0; {} is not", target.value)};
  FloatBuffer x(task.layout().size());
  const std::unique_ptr<Objective> objective = task.objective_of(0);
  objective->initialize(RngKey{.seed = 0, .purpose = Purpose::kInit}, x.view());
  const std::optional<Evaluation> evaluation =
      objective->evaluate(x.view(), objective->statistics());
  const bool is_measured = evaluation ? error_of(*evaluation, target.quantity).has_value()
                                      : target.quantity == Quantity::kLoss && task.loss(x.view());
  if (is_measured) return {};
  if (target.quantity == Quantity::kAccuracy)
    return Error{"this task has no accuracy: give a loss to reach instead"};
  return Error{"this task has neither test samples nor a loss over all its data"};
}

Pilot run_pilot(const Candidate& candidate, const PilotSetup& setup) {
  Pilot pilot;
  const RunConfig config = config_of(candidate, setup);
  pilot.nodes = config.nodes;
  GammaTuner tuner;
  const auto experiment = make_experiment(config, tuner);
  if (!experiment) {
    pilot.trouble = experiment.error().message;
    return pilot;
  }
  pilot.gamma = experiment.value()->gamma;
  const double goal = setup.target.error();
  StopLine stop;
  RunOptions options;
  options.stop = &stop;
  options.tests_own_models = false;
  options.report = [&](const Measurement& measurement) {
    const std::optional<double> error = error_of(measurement, setup.target.quantity);
    if (!error) return;
    pilot.run.push_back({measurement.round, *error});
    if (*error <= goal) stop.request();
  };
  const Result<RunOutcome> outcome = run_experiment(*experiment.value(), options);
  if (!outcome) {
    pilot.trouble = outcome.error().message;
  } else if (outcome.value().failure) {
    pilot.trouble = outcome.value().failure->sentence;
  } else {
    pilot.to_target = rounds_to_target(pilot.run, goal);
  }
  return pilot;
}

}  // namespace gossamer
