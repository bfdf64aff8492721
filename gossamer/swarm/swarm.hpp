#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/events/sink.hpp"
#include "gossamer/member/member.hpp"
#include "gossamer/swarm/prepared_run.hpp"
#include "gossamer/swarm/processes.hpp"
#include "gossamer/swarm/run_request.hpp"
#include "gossamer/train/member_run.hpp"

namespace gossamer {

/// What a swarm is made of.
struct SwarmSetup {
  /// As read_arguments() reads it, or put together by hand.
  RunRequest request;
  /// The layout of the model that the loop trains.
  Layout model;
  /// Ends the run early, with a checkpoint, when somebody asks for it: Interruption::line().
  StopLine* stop = nullptr;
  /// What else must be equal at all nodes, as name and value: the data, the size of a batch. Nodes
  /// compare it before the first round, and checkpoints carry it.
  std::vector<std::pair<std::string, std::string>> identity = {};
  /// Told of all that happens in this process, each event in its turn, on a thread of its own.
  std::vector<EventListener*> listeners = {};
};

/// How a loop's run ended.
struct SwarmOutcome {
  std::optional<Failure> failure;
  /// How to go on with a run that lost somebody; empty if there is nothing to do.
  std::string remedy;
  /// Rounds completed when the run was stopped early.
  std::optional<Round> stopped_after;

  /// Of a failure: what happened, and what to do.
  [[nodiscard]] std::string sentence() const;
};

/// The nodes that train one model together, for a program that has a loop of its own: in threads,
/// on a virtual clock, as the ranks of mpirun, or as peers over TLS, as its settings say. The loop
/// is the same on all of them:
///
///     const auto swarm = Swarm::open({.request = request, .model = layout}).value();
///     const SwarmOutcome outcome = swarm->run([&](Member& member) { ... }).value();
class Swarm {
 public:
  /// Reads and checks all that decides the run, and opens its folder. An error says in one sentence
  /// what is wrong and what to do.
  [[nodiscard]] static Result<std::unique_ptr<Swarm>> open(SwarmSetup setup);

  Swarm(const Swarm&) = delete;
  Swarm& operator=(const Swarm&) = delete;

  /// The settings, with all that was not given filled in, and what they name: a loop finds its
  /// learning rate and its optimizer there.
  [[nodiscard]] const Experiment& experiment() const { return run_->experiment(); }

  /// Runs the loop for each node of this process: all nodes, or the one that it is among others.
  /// Once. An error means that the network could not be opened; what a loop throws beside RunFailed
  /// ends the run, the others are told why, and it is thrown here.
  [[nodiscard]] Result<SwarmOutcome> run(const Loop& loop);

  /// Whether this node prints and keeps what is the same for all: the first of those in one process
  /// or of the ranks; each of the peers.
  [[nodiscard]] bool speaks(const Member& member) const;

  /// Writes the mean of all models into the run's folder, as model.safetensors. Does nothing
  /// without a folder, or where the node does not speak. A file that cannot be written fails the
  /// member's run: throws RunFailed.
  void keep(Member& member, const MeanOfNodes& mean) const;

 private:
  explicit Swarm(SwarmSetup setup) : setup_(std::move(setup)) {}

  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<SwarmOutcome> run_all(const RunOptions& options, const Loop& loop) const;
  [[nodiscard]] SwarmOutcome run_one(Network& network, const RunOptions& options,
                                     const Loop& loop) const;
  [[nodiscard]] std::optional<Round> stopped() const;

  SwarmSetup setup_;
  std::optional<Processes> processes_;
  std::unique_ptr<PreparedRun> run_;
};

}  // namespace gossamer
