#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "gossamer/experiment/experiment.hpp"
#include "gossamer/member/member.hpp"
#include "gossamer/watch/observatory.hpp"

namespace gossamer {

/// When the nodes of a run take the mean of all models, all of them together: never where somebody
/// sees all models anyway.
enum class TakesMean { kNever, kAtTheEnd, kAtReports };

/// What the loops of a run share. All of it must outlive them.
struct SharedByLoops {
  const Experiment& experiment;
  Lookout& observatory;
  bool tests_own_models = true;
  TakesMean takes_mean = TakesMean::kNever;
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

  /// Of all models after the last round, where the nodes take it.
  [[nodiscard]] const MeanOfNodes& mean() const { return mean_; }

 private:
  void set_first_model();
  double compute_move();
  void judge(double loss);
  void look(Round completed);
  void leave_sighting(Round completed);
  [[nodiscard]] bool takes_mean() const;
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

  /// The mean of all models that was taken last; its numbers are empty if there is none.
  MeanOfNodes mean_;

  // The losses of batches since the last look.
  double losses_ = 0.0;
  std::uint64_t batches_ = 0;
};

}  // namespace gossamer
