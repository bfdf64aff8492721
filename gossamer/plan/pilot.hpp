#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/task.hpp"
#include "gossamer/plan/planner.hpp"
#include "gossamer/plan/rounds_to_target.hpp"
#include "gossamer/settings/config.hpp"

namespace gossamer {

/// What the mean of all nodes' models is to be worth: on test samples, or by the objective of a
/// task that has none.
struct Target {
  enum class Quantity : std::uint8_t { kAccuracy, kLoss };

  Quantity quantity = Quantity::kAccuracy;
  double value = 0;

  /// How wrong a model is that just gets there.
  [[nodiscard]] double error() const {
    return quantity == Quantity::kAccuracy ? 1.0 - value : value;
  }
};

/// Refuses accuracies that no model has, and targets that the task does not measure.
[[nodiscard]] Result<void> check_target(const Task& task, const Target& target);

struct PilotSetup {
  /// What is learned, and how: all but the method, the graph and the length.
  RunConfig config;
  Target target;
  Round rounds = 300;
  /// A run with more nodes is tried with so many, if the graph can be made of as few.
  NodeId most_nodes = 16;
};

/// What a short training run showed.
struct Pilot {
  NodeId nodes = 0;
  /// Tuned, where the method does that.
  float gamma = 1.0f;
  std::vector<ErrorAfter> run;
  RoundsToTarget to_target;
  /// Why it could not begin, or ended early, as a sentence; empty: all went well.
  std::string trouble;
};

/// Trains by the candidate's method for some rounds, in this process, to see how many it needs.
[[nodiscard]] Pilot run_pilot(const Candidate& candidate, const PilotSetup& setup);

}  // namespace gossamer
