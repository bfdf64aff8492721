#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "gossamer/experiment/experiment.hpp"
#include "gossamer/member/failure.hpp"
#include "gossamer/member/stop_line.hpp"
#include "gossamer/member/upkeep.hpp"
#include "gossamer/network/network.hpp"
#include "gossamer/store/checkpoint.hpp"
#include "gossamer/watch/observatory.hpp"
#include "gossamer/watch/trace.hpp"

namespace gossamer {

/// How far the first node is, after each of its rounds.
struct Tick {
  Round completed = 0;
  /// Of its last batch; nothing without gradients.
  std::optional<double> loss;
  std::uint64_t bytes_sent = 0;
};

/// Of a node that is alone in its process.
struct ProcessLink {
  /// Whom it talks to.
  std::vector<NodeId> partners;
  /// Whether the processes have yet to find out that all are there and agree.
  bool calls_roll = false;
  /// Whether it has a checkpoint to go on from; which one, all decide together.
  bool resumes = false;
  std::function<void(Round)> begins_at = {};
  /// Gets a line for each thing that happens to its edges.
  std::function<void(const std::string&)> say;
};

/// What the nodes of a run share. All of it must outlive them.
struct SharedByNodes {
  const Experiment& experiment;
  Lookout& observatory;
  CheckpointStore* checkpoints = nullptr;
  std::optional<Round> resume_from = std::nullopt;
  StopLine* stop = nullptr;
  std::function<void(const Tick&)> tick = {};
  Trace* trace = nullptr;
  bool tests_own_models = true;
  /// Nothing where all nodes are in one process.
  std::optional<ProcessLink> process = std::nullopt;
};

/// One node's run from its first round to its last: gradient, optimizer, algorithm; or a
/// coordinator's, which has no gradients.
class NodeRun {
 public:
  NodeRun(Network& network, const SharedByNodes& shared);

  NodeRun(const NodeRun&) = delete;
  NodeRun& operator=(const NodeRun&) = delete;

  /// Hands its spans to the trace, also those of a run that failed.
  ~NodeRun();

  /// Throws RunFailed.
  void run();

 private:
  void start();
  void resume(Round round);
  void load(Round round);
  void meet_the_others();
  [[nodiscard]] std::optional<Round> agree();
  void join(const Aside& offer);
  [[nodiscard]] Presence presence();
  [[noreturn]] void end_for_all(Failure::Kind kind, const std::string& quantity,
                                const std::string& sentence);
  void show_model(StateVisitor& visitor);
  [[nodiscard]] EdgeEvents edge_events();
  void take_round();
  void compute_move();
  void look(Round completed);
  void leave_sighting(Round completed);
  void tick() const;
  void save_if_due(Round completed);
  void save(Round completed);
  void stop_early();
  void show_state(StateVisitor& visitor);
  void show_spent(StateVisitor& visitor);

  [[nodiscard]] bool trains() const { return node_.id() < shared_.experiment.config.nodes; }

  [[nodiscard]] std::uint64_t bytes_sent() const;
  [[nodiscard]] std::uint64_t payload_bytes() const;
  [[nodiscard]] Time now() const;
  [[nodiscard]] TimeSpent spent() const;

  const SharedByNodes& shared_;
  const RunConfig& config_;
  Network& network_;
  Node node_;
  std::unique_ptr<Algorithm> algorithm_;
  std::unique_ptr<Objective> objective_;
  Optimizer optimizer_;
  /// First the gradient, then the move that the optimizer makes of it.
  FloatBuffer u_;
  std::optional<Upkeep> upkeep_;
  bool has_joined_ = false;

  // The losses of batches since the last look.
  double losses_ = 0.0;
  std::optional<double> last_loss_;
  std::uint64_t batches_ = 0;

  // What was sent and spent before the checkpoint that this run goes on from.
  std::uint64_t bytes_before_ = 0;
  std::uint64_t payload_before_ = 0;
  Duration time_before_{};
  TimeSpent spent_before_{};
};

}  // namespace gossamer
