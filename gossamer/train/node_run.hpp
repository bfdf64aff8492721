#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "gossamer/experiment/experiment.hpp"
#include "gossamer/member/member.hpp"
#include "gossamer/watch/observatory.hpp"

namespace gossamer {

/// How far the first node is, after each of its rounds.
struct Tick {
  Round completed = 0;
  /// Of its last batch; nothing without gradients.
  std::optional<double> loss;
  std::uint64_t bytes_sent = 0;
};

/// What the loops of a run share. All of it must outlive them.
struct SharedByLoops {
  const Experiment& experiment;
  Lookout& observatory;
  bool tests_own_models = true;
  /// Nothing for nodes that are not followed.
  std::function<void(const Tick&)> tick = {};
};

/// The loop of one node from its first round to its last: gradient, optimizer, algorithm; or a
/// coordinator's, which has no gradients. Judges its losses, and leaves what it has become where it
/// is watched.
class NodeRun {
 public:
  /// Both must outlive it.
  NodeRun(Member& member, const SharedByLoops& shared);

  NodeRun(const NodeRun&) = delete;
  NodeRun& operator=(const NodeRun&) = delete;

  /// Throws RunFailed.
  void run();

 private:
  void set_first_model();
  double compute_move();
  void judge(double loss);
  void look(Round completed);
  void leave_sighting(Round completed);
  [[nodiscard]] CVec statistics() const;
  void show_state(StateVisitor& visitor);

  Member& member_;
  Node& node_;
  const SharedByLoops& shared_;
  const RunConfig& config_;
  std::unique_ptr<Objective> objective_;
  Optimizer optimizer_;
  /// First the gradient, then the move that the optimizer makes of it.
  FloatBuffer u_;

  // The losses of batches since the last look.
  double losses_ = 0.0;
  std::uint64_t batches_ = 0;
};

}  // namespace gossamer
