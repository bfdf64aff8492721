#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/train/run.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer::testing {

/// Settings as a user gives them, in order.
using Settings = std::vector<std::pair<std::string, std::string>>;

inline RunConfig config_of(const Settings& settings) {
  RunConfig config;
  config.task = "logistic";
  for (const auto& [key, value] : settings) {
    // The command that begins consensus says so, not a user.
    if (key == "task" && value == "consensus") {
      config.task = value;
    } else if (const Result<void> set = set_config(config, key, value); !set) {
      throw std::invalid_argument(set.error().message);
    }
  }
  return config;
}

inline Result<std::unique_ptr<Experiment>> try_experiment(const Settings& settings) {
  GammaTuner gammas;
  return make_experiment(config_of(settings), gammas);
}

inline std::unique_ptr<Experiment> experiment_of(const Settings& settings) {
  auto experiment = try_experiment(settings);
  if (!experiment) throw std::invalid_argument(experiment.error().message);
  return std::move(experiment).value();
}

inline std::string refusal_of(const Settings& settings) {
  const auto experiment = try_experiment(settings);
  return experiment ? "not refused" : experiment.error().message;
}

struct Recorded {
  std::vector<Measurement> reports;
  RunOutcome outcome;
};

/// Runs to the end and keeps all reports.
inline Recorded record(const Experiment& experiment, RunOptions options = {}) {
  Recorded recorded;
  options.report = [&](const Measurement& measurement) { recorded.reports.push_back(measurement); };
  auto outcome = run_experiment(experiment, options);
  if (!outcome) throw std::invalid_argument(outcome.error().message);
  recorded.outcome = std::move(outcome).value();
  return recorded;
}

inline Recorded record(const Settings& settings) {
  return record(*experiment_of(settings));
}

/// What must be equal in every world: all but the time.
struct Fingerprint {
  Round round;
  double objective;
  double consensus_distance;
  double error;
  double mean_drift;
  double bytes;
  double payload_bytes;
  NodeId farthest;

  bool operator==(const Fingerprint&) const = default;
};

inline void PrintTo(const Fingerprint& print, std::ostream* out) {
  *out << "round " << print.round << ": objective " << print.objective << ", distance "
       << print.consensus_distance << ", error " << print.error << ", drift " << print.mean_drift
       << ", bytes " << print.bytes << ", of payload " << print.payload_bytes << ", farthest "
       << print.farthest;
}

inline std::vector<Fingerprint> fingerprints(const std::vector<Measurement>& reports) {
  std::vector<Fingerprint> prints;
  for (const Measurement& report : reports) {
    prints.push_back({report.round, report.objective.value_or(0.0),
                      report.consensus_distance.value_or(-1.0), report.error.value_or(0.0),
                      report.mean_drift.value_or(0.0), report.bytes_sent_per_node,
                      report.payload_bytes_per_node, report.farthest_node});
  }
  return prints;
}

/// "0,1,...,last" for the key report.
inline std::string rounds_up_to(Round last) {
  std::string text = "0";
  for (Round round = 1; round <= last; ++round)
    text += fmt::format(",{}", round);
  return text;
}

}  // namespace gossamer::testing
