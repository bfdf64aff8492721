#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/commands/run_arguments.hpp"
#include "apps/console/beginning_line.hpp"
#include "apps/console/event_lines.hpp"
#include "apps/console/event_stream.hpp"
#include "apps/console/progress_bar.hpp"
#include "apps/console/run_report.hpp"

#include "gossamer/events/event_file.hpp"
#include "gossamer/events/event_queue.hpp"
#include "gossamer/swarm/prepared_run.hpp"
#include "gossamer/swarm/processes.hpp"
#include "gossamer/train/metrics_file.hpp"
#include "gossamer/watch/trace.hpp"

namespace gossamer::cli {

/// One run of `gossamer train`: a new one, or one that goes on. Prints as it goes. Of many
/// processes each has a node, and the first one prints and keeps the results.
class TrainingRun {
 public:
  /// Opens the folder and reads the settings. Throws BadInput. Both must outlive it.
  TrainingRun(const RunArguments& arguments, Processes& processes);

  /// The settings as given; a comparison changes some before run().
  [[nodiscard]] RunConfig& config() { return run_->config(); }

  /// Returns the exit code. Throws BadInput.
  int run();

  // Of a run that has ended.
  [[nodiscard]] const Experiment& experiment() const { return run_->experiment(); }

  [[nodiscard]] const RunOutcome& outcome() const { return outcome_; }

 private:
  [[nodiscard]] RunReport::Format format() const;
  void prepare();
  /// Who hears what happens.
  void listen();
  [[nodiscard]] RunOutcome run_nodes(std::unique_ptr<Network> network);
  /// Whether there is a folder that has them all now.
  bool try_to_keep_results();
  void keep_results();

  const RunArguments& arguments_;
  Processes& processes_;
  std::unique_ptr<PreparedRun> run_;
  Trace trace_;
  RunOptions options_;
  EventLines lines_;
  BeginningLine beginning_;
  EventStream stream_;
  std::optional<RunReport> report_;
  std::optional<ProgressBar> bar_;
  std::optional<MetricsFile> metrics_;
  std::unique_ptr<EventFile> event_file_;
  std::optional<EventQueue> events_;  // hands on to those above
  RunOutcome outcome_;
};

}  // namespace gossamer::cli
