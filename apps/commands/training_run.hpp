#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/commands/run_arguments.hpp"
#include "apps/console/event_lines.hpp"
#include "apps/console/event_stream.hpp"
#include "apps/console/progress_bar.hpp"
#include "apps/console/run_report.hpp"
#include "apps/processes/interruption.hpp"
#include "apps/processes/peer_place.hpp"
#include "apps/processes/processes.hpp"

#include "gossamer/events/event_file.hpp"
#include "gossamer/events/event_queue.hpp"
#include "gossamer/train/metrics_file.hpp"
#include "gossamer/train/run_folder.hpp"
#include "gossamer/watch/trace.hpp"

namespace gossamer::cli {

/// One run of `gossamer train`: a new one, or one that goes on. Prints as it goes. Of many
/// processes each has a node, and the first one prints and keeps the results.
class TrainingRun {
 public:
  /// Opens the folder and reads the settings. Throws BadInput. Both must outlive it.
  TrainingRun(const RunArguments& arguments, Processes& processes);

  /// The settings as given; a comparison changes some before run().
  [[nodiscard]] RunConfig& config() { return config_; }

  /// Returns the exit code. Throws BadInput.
  int run();

  // Of a run that has ended.
  [[nodiscard]] const Experiment& experiment() const { return *experiment_; }

  [[nodiscard]] const RunOutcome& outcome() const { return outcome_; }

 private:
  [[nodiscard]] bool is_resumed() const { return !arguments_.resume.empty(); }

  [[nodiscard]] std::string folder_path() const;

  [[nodiscard]] bool has_folder() const { return is_resumed() || !arguments_.run_dir.empty(); }

  [[nodiscard]] RunReport::Format format() const;
  void read_settings();
  void prepare();
  [[nodiscard]] std::unique_ptr<Experiment> make() const;
  void open_store();
  void prepare_folder();
  void join_the_others();
  void see_folder(const std::string& config);
  /// Who hears what happens.
  void listen();
  /// Null where all nodes run in this process.
  [[nodiscard]] std::unique_ptr<Network> open_network();
  [[nodiscard]] RunOutcome run_nodes(std::unique_ptr<Network> network);
  /// Whether there is a folder that has them all now.
  bool try_to_keep_results();
  void keep_results();

  const RunArguments& arguments_;
  Processes& processes_;
  RunConfig config_;
  std::optional<PeerPlace> place_;
  std::optional<RunFolder> folder_;
  std::unique_ptr<Experiment> experiment_;
  std::optional<CheckpointStore> store_;
  Trace trace_;
  RunOptions options_;
  EventLines lines_;
  EventStream stream_;
  std::optional<RunReport> report_;
  std::optional<ProgressBar> bar_;
  std::optional<MetricsFile> metrics_;
  std::unique_ptr<EventFile> event_file_;
  std::optional<EventQueue> events_;  // hands on to those above
  RunOutcome outcome_;
};

}  // namespace gossamer::cli
