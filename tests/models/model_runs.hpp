#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "gossamer/events/measurement_json.hpp"
#include "gossamer/train/run.hpp"
#include "gossamer/train/run_folder.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer::testing {

/// Settings as a user gives them, in order: the last one counts.
using RunSettings = std::vector<std::pair<std::string, std::string>>;

inline RunSettings operator+(RunSettings left, const RunSettings& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

inline Result<std::unique_ptr<Experiment>> try_model_experiment(const RunSettings& settings) {
  RunConfig config;
  for (const auto& [key, value] : settings) {
    if (const Result<void> set = set_config(config, key, value); !set) return set.error();
  }
  GammaTuner gammas;
  return make_experiment(config, gammas);
}

inline std::unique_ptr<Experiment> model_experiment(const RunSettings& settings) {
  auto experiment = try_model_experiment(settings);
  if (!experiment) throw std::invalid_argument(experiment.error().message);
  return std::move(experiment).value();
}

/// What a run reported, and what it ended with.
struct ModelRun {
  std::vector<Measurement> reports;
  RunOutcome outcome;

  /// Every number that was reported, all digits, but the times.
  [[nodiscard]] std::vector<std::string> rows() const {
    std::vector<std::string> texts;
    for (const Measurement& report : reports) {
      nlohmann::json row = nlohmann::json::parse(to_json(report));
      for (auto entry = row.begin(); entry != row.end();)
        entry = entry.key().starts_with("seconds") ? row.erase(entry) : std::next(entry);
      texts.push_back(row.dump());
    }
    return texts;
  }
};

/// Runs to the end; a run that fails fails the test with its sentence.
inline ModelRun run_model(const Experiment& experiment, RunOptions options = {}) {
  ModelRun run;
  options.report = [&](const Measurement& measurement) { run.reports.push_back(measurement); };
  auto outcome = run_experiment(experiment, options);
  if (!outcome) throw std::runtime_error(outcome.error().message);
  run.outcome = std::move(outcome).value();
  if (run.outcome.failure) throw std::runtime_error(run.outcome.failure->sentence);
  return run;
}

}  // namespace gossamer::testing
