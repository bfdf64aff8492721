#pragma once

#include <span>
#include <string>

#include "gossamer/store/checkpoint.hpp"
#include "gossamer/store/safetensors.hpp"
#include "gossamer/train/run.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer {

/// The number that people write for this float: 0.3 and not 0.30000001192092896.
[[nodiscard]] double shortest_decimal(float number);

/// How a run ended, as the last JSON object: {"summary": {...}}.
[[nodiscard]] std::string summary_json(const Experiment& experiment, const RunOutcome& outcome);

/// A run's folder: config.toml (all settings, resolved), metrics.jsonl (a line per report, written
/// as they come), events.jsonl (docs/events.md), summary.json, model.safetensors (the mean over
/// nodes), gamma.json (what `auto` found), checkpoints/.
class RunFolder {
 public:
  enum class Use { kBegin, kResume, kRead };

  /// Makes the folder, or opens that of a run to go on with or to read. A folder that already
  /// holds a run is not overwritten.
  [[nodiscard]] static Result<RunFolder> open(std::string path, Use use);

  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] std::string report_path() const { return path_ + "/report.html"; }

  [[nodiscard]] std::string config_path() const { return path_ + "/config.toml"; }

  [[nodiscard]] std::string metrics_path() const { return path_ + "/metrics.jsonl"; }

  [[nodiscard]] std::string events_path() const { return path_ + "/events.jsonl"; }

  [[nodiscard]] std::string summary_path() const { return path_ + "/summary.json"; }

  [[nodiscard]] std::string checkpoints_path() const { return path_ + "/checkpoints"; }

  [[nodiscard]] std::string gamma_path() const { return path_ + "/gamma.json"; }

  [[nodiscard]] Result<void> write_config(const RunConfig& config, Command command) const;

  /// Forgets the lines of rounds after `round`: a resumed run writes them again.
  [[nodiscard]] Result<void> keep_metrics_until(Round round) const;

  [[nodiscard]] Result<void> append_metrics(const std::string& line) const;
  [[nodiscard]] Result<void> write_summary(const std::string& json) const;

  /// The model of a run that came to its last round.
  [[nodiscard]] Result<void> write_model(const Experiment& experiment,
                                         const RunOutcome& outcome) const;

  /// The same of numbers that are at hand. `whose`: as "mean over 4 nodes".
  [[nodiscard]] Result<void> write_model(std::span<const NamedTensor> tensors,
                                         const std::string& whose, Round round) const;

 private:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// Asks the tuner once, and a file from then on.
class CachedGammas final : public GammaTuner {
 public:
  explicit CachedGammas(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] Result<float> gamma_for(const Experiment& experiment) override;

 private:
  std::string path_;
};

}  // namespace gossamer
