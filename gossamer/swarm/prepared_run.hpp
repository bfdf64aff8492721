#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gossamer/experiment/experiment.hpp"
#include "gossamer/store/checkpoint.hpp"
#include "gossamer/swarm/peer_place.hpp"
#include "gossamer/swarm/processes.hpp"
#include "gossamer/swarm/run_request.hpp"
#include "gossamer/train/run.hpp"
#include "gossamer/train/run_folder.hpp"

namespace gossamer {

/// A run as this process takes part in it, before its first round: settings read and put on the
/// processes that there are, the folder opened, the objects made, and ranks agreed on all of it.
class PreparedRun {
 public:
  /// Makes the objects that the settings name.
  using Make = std::function<Result<std::unique_ptr<Experiment>>(const RunConfig&, GammaSource&)>;

  /// Reads the settings, and opens the folder. Both must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<PreparedRun>> read(const RunRequest& request,
                                                                 Processes& processes);

  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  /// The settings as given, to be changed before prepare().
  [[nodiscard]] RunConfig& config() { return config_; }

  [[nodiscard]] Result<void> prepare(const Make& make);

  // After prepare().

  [[nodiscard]] const Experiment& experiment() const { return *experiment_; }

  /// Null where nothing is kept.
  [[nodiscard]] const RunFolder* folder() const { return folder_ ? &*folder_ : nullptr; }

  [[nodiscard]] bool has_store() const { return store_.has_value(); }

  /// Where checkpoints go and come from, and which to go on from.
  [[nodiscard]] const RunOptions& options() const { return options_; }

  /// Whether it is one of several peers, each of whom speaks for itself.
  [[nodiscard]] bool is_peer() const { return place_.has_value(); }

  /// Whether it shows and keeps results: every process but the ranks behind the first.
  [[nodiscard]] bool speaks() const { return processes_.is_first(); }

  /// Null where all nodes run in this process. Keys or a port that are no good are refused.
  [[nodiscard]] Result<std::unique_ptr<Network>> open_network(EventSink* events);

 private:
  PreparedRun(const RunRequest& request, Processes& processes)
      : request_(request), processes_(processes) {}

  [[nodiscard]] bool is_resumed() const { return !request_.resume.empty(); }

  /// With the run that is in the folder, as if --resume had been given.
  [[nodiscard]] bool goes_on() const { return folder_ && !is_resumed() && folder_->holds_run(); }

  [[nodiscard]] std::string folder_path() const;
  [[nodiscard]] RunFolder::Use folder_use() const;
  [[nodiscard]] Error finished_already() const;
  [[nodiscard]] Result<void> read_settings();
  [[nodiscard]] Result<void> prepare_alone(const Make& make);
  void open_store();
  [[nodiscard]] Result<void> prepare_folder();
  [[nodiscard]] Result<void> find_resumed_round();
  [[nodiscard]] Result<void> go_on_with_what_is_there();
  [[nodiscard]] Result<void> join_the_others();
  [[nodiscard]] Result<void> follow_the_first(const std::string& config,
                                              const std::string& first_config,
                                              const std::string& first_round);
  [[nodiscard]] Result<void> see_folder(const std::string& config);

  const RunRequest& request_;
  Processes& processes_;
  RunConfig config_;
  std::optional<PeerPlace> place_;
  std::optional<RunFolder> folder_;
  std::unique_ptr<Experiment> experiment_;
  std::optional<CheckpointStore> store_;
  RunOptions options_;
};

}  // namespace gossamer
