#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/interruption.hpp"
#include "apps/progress_bar.hpp"
#include "apps/run_arguments.hpp"
#include "apps/run_report.hpp"

#include "gossamer/train/run_folder.hpp"
#include "gossamer/train/trace.hpp"

namespace gossamer::cli {

/// One run of `gossamer train`: a new one, or one that goes on. Prints as it goes.
class TrainingRun {
 public:
  /// Opens the folder and reads the settings. Throws BadInput.
  explicit TrainingRun(const RunArguments& arguments);

  /// The settings as given; a comparison changes some before run().
  [[nodiscard]] RunConfig& config() { return config_; }

  /// Returns the exit code. Throws BadInput.
  int run();

  // Of a run that has ended.
  [[nodiscard]] const Experiment& experiment() const { return *experiment_; }

  [[nodiscard]] const RunOutcome& outcome() const { return outcome_; }

 private:
  [[nodiscard]] std::unique_ptr<Experiment> make() const;
  void prepare_folder();
  void note(const Measurement& measurement);
  /// Whether there is a folder that has them all now.
  bool try_to_keep_results();
  void keep_results();

  const RunArguments& arguments_;
  RunConfig config_;
  std::optional<RunFolder> folder_;
  std::unique_ptr<Experiment> experiment_;
  std::optional<CheckpointStore> store_;
  Trace trace_;
  RunOptions options_;
  std::optional<RunReport> report_;
  std::optional<ProgressBar> bar_;
  RunOutcome outcome_;
};

}  // namespace gossamer::cli
