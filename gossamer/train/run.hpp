#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/events/measurement.hpp"
#include "gossamer/events/sink.hpp"
#include "gossamer/experiment/experiment.hpp"
#include "gossamer/member/failure.hpp"
#include "gossamer/member/stop_line.hpp"
#include "gossamer/store/checkpoint.hpp"

namespace gossamer {

class Member;

/// What a run does beside training.
struct RunOptions {
  /// Gets every measurement that the config asks for, in the order of rounds, on the thread of some
  /// node: for what goes on computing with them. Who shows or writes them wants `events`.
  std::function<void(const Measurement&)> report;
  /// Where checkpoints go and come from; none: nothing is saved.
  CheckpointStore* checkpoints = nullptr;
  /// Go on from this many completed rounds.
  std::optional<Round> resume_from = std::nullopt;
  /// Ends the run early, with a checkpoint, when somebody asks for it.
  StopLine* stop = nullptr;
  /// Told of all that happens in the nodes of this process; of rounds, in those of its first node.
  /// Null: nobody is told.
  EventSink* events = nullptr;
  /// Whether reports also test each node's own model, not only the mean of all: with many nodes
  /// that can take longer than the rounds between.
  bool tests_own_models = true;
  /// Shown each member before its first round, on its thread: for those who look inside while it
  /// runs. It is gone when the run is.
  std::function<void(Member&)> shows_member = {};

  // Of a run whose nodes are processes.

  /// Goes on from the newest round that every node has saved.
  bool resumes = false;
  /// Of this process, among all that are ever the same node; 0: drawn at random.
  std::uint64_t incarnation = 0;
};

/// The first round in which the error of consensus was at most so much.
struct ToleranceReached {
  double tolerance = 0.0;
  std::optional<Measurement> first;
};

/// How a run ended, and what it made.
struct RunOutcome {
  /// The last measurement before the run ended.
  std::optional<Measurement> last;
  /// The mean over nodes after the last round; empty if the run ended before.
  std::vector<float> model;
  /// Of how many nodes; 0: it is no mean, but the own model of the only node that was seen.
  NodeId model_nodes = 0;
  /// And of what belongs to models without a gradient: Objective::statistics().
  std::vector<float> statistics;
  std::vector<ToleranceReached> tolerances;
  std::optional<Failure> failure;
  /// How to go on with a run of processes that lost somebody: remedy_for().
  std::string remedy;
  /// Rounds completed when the run was stopped early.
  std::optional<Round> stopped_after;
};

/// Runs an experiment to its end or to its failure, on the network that its config names. An error
/// means that it could not begin.
[[nodiscard]] Result<RunOutcome> run_experiment(const Experiment& experiment,
                                                const RunOptions& options);

}  // namespace gossamer
