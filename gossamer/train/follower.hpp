#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "gossamer/topology/spanning_tree.hpp"
#include "gossamer/train/run.hpp"
#include "gossamer/watch/observatory.hpp"

namespace gossamer {

/// Follows the measurements of a run: hands on those that are wanted, notes tolerances, and ends
/// consensus that diverges, and a run that ends with a model of no numbers. The objective ends
/// nothing: peers do not see that of the averaged model in every round, and a run fails in the same
/// round wherever its nodes are. Their own losses end it. Called under the observatory's lock.
class Follower {
 public:
  /// What they hold must outlive it.
  Follower(const Experiment& experiment, const RunOptions& options, NodeId self = 0);

  /// With tolerances every round is watched; the last one always is, for the summary.
  [[nodiscard]] std::vector<Round> watched() const;

  /// Throws RunFailed.
  void operator()(const Measurement& measurement, const SeenModels& seen);

  /// Of a run that came to its end.
  [[nodiscard]] RunOutcome finish();

  /// Of a run that was stopped.
  [[nodiscard]] RunOutcome finish_early(Round completed);

  /// Of a run whose other nodes came to their end.
  [[nodiscard]] RunOutcome finish_without(NodeId node);

  /// With the first cause of what nodes have noted, unless measuring has shown something before.
  [[nodiscard]] RunOutcome finish(const Failure& failure);

 private:
  void keep_model(const Measurement& measurement, const SeenModels& seen);
  void tell(const Measurement& measurement, Time clock) const;
  void refuse_divergence(const Measurement& measurement);
  [[noreturn]] void fail(const Failure& failure);

  const RunConfig& config_;
  SpanningTree tree_;
  const StopLine* stop_;
  std::function<void(const Measurement&)> report_;
  EventSink* events_;
  NodeId self_;
  std::vector<Round> reports_;
  // The least error of the first half of the rounds, and of the rest.
  double least_before_half_ = std::numeric_limits<double>::infinity();
  double least_after_ = std::numeric_limits<double>::infinity();
  std::optional<Failure> seen_;  // how the run failed, by what was measured
  RunOutcome outcome_;
};

}  // namespace gossamer
