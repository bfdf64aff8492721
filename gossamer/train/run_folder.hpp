#pragma once

#include <memory>
#include <span>
#include <string>

#include "gossamer/base/folder_lock.hpp"
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
/// nodes), gamma.json (what `auto` found), checkpoints/, lock (held by the process that writes).
class RunFolder {
 public:
  enum class Use {
    kBegin,
    kBeginOrGoOn,  // with what is there, if the caller finds that it is the same run
    kResume,
    kRead
  };

  /// Makes the folder, or opens that of a run to go on with or to read. A folder that already
  /// holds a run is not overwritten, and one that another process writes into is not opened but to
  /// read: it is this process's until all copies of the object are gone.
  [[nodiscard]] static Result<RunFolder> open(std::string path, Use use);

  /// Of kBeginOrGoOn: whether there is a run in it.
  [[nodiscard]] bool holds_run() const { return holds_run_; }

  /// Whether its summary says that a run has come to its last round.
  [[nodiscard]] bool has_finished() const;

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

  /// All of them: a run begins anew.
  [[nodiscard]] Result<void> forget_metrics() const;

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

  /// Makes it this process's.
  [[nodiscard]] Result<void> lock();

  std::string path_;
  bool holds_run_ = false;
  std::shared_ptr<const FolderLock> lock_;
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
