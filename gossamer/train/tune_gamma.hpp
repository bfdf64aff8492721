#pragma once

#include <optional>
#include <vector>

#include "gossamer/experiment/experiment.hpp"

namespace gossamer {

/// How consensus went with one step size.
struct GammaTrial {
  float gamma = 0.0f;
  /// After the last round; nothing if the trial diverged.
  std::optional<double> error;
  /// The round in which the error first was below kGammaGoal, if it ever was.
  std::optional<Round> reached;
};

/// Where a trial counts as done: above what is left by rounding, so that trials which get there are
/// told apart by how fast they do.
inline constexpr double kGammaGoal = 1e-10;

/// The step that worked best, and what was tried to find it.
struct GammaTuning {
  float best = 0.0f;
  std::vector<GammaTrial> trials = {};  // ascending in gamma
  // What was tried on, which is smaller than the real thing so that it takes seconds.
  NodeId nodes = 0;
  std::size_t dim = 0;
  Round rounds = 0;
};

/// Runs the experiment's algorithm as plain consensus on normal vectors of the model's blocks, once
/// for each of 20 step sizes from 0.001 to 1, and takes the one that gets closest, or there first.
[[nodiscard]] Result<GammaTuning> tune_gamma(const Experiment& experiment);

/// Finds each kind of Gamma: by trials, or by formula from the graph's spectrum.
class GammaTuner : public GammaSource {
 public:
  [[nodiscard]] Result<float> gamma_for(const Experiment& experiment) override;
};

}  // namespace gossamer
