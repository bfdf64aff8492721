#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "gossamer/network/network.hpp"
#include "gossamer/train/checkpoint.hpp"
#include "gossamer/train/experiment.hpp"
#include "gossamer/train/observatory.hpp"
#include "gossamer/train/stop_line.hpp"
#include "gossamer/train/trace.hpp"

namespace gossamer {

/// How far the first node is, after each of its rounds.
struct Tick {
  Round completed = 0;
  /// Of its last batch; nothing without gradients.
  std::optional<double> loss;
  std::uint64_t bytes_sent = 0;
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

  // The losses of batches since the last look.
  double losses_ = 0.0;
  std::optional<double> last_loss_;
  std::uint64_t batches_ = 0;

  // What was sent and spent before the checkpoint that this run goes on from.
  std::uint64_t bytes_before_ = 0;
  Duration time_before_{};
  TimeSpent spent_before_{};
};

}  // namespace gossamer
