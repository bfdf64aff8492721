#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/time.hpp"

namespace gossamer {

/// How long a node computes in each round of a simulation.
struct ComputeModel {
  Duration per_step{};

  /// Nodes that differ from per_step; the first entry of a node counts.
  std::vector<std::pair<NodeId, Duration>> per_node;

  /// With this probability a node is slow in a round, whichever it is, and takes so many times as
  /// long.
  double straggler_probability = 0;
  double straggler_factor = 1;

  /// A function of its arguments alone, as all randomness is: the same rounds are slow on every
  /// run.
  [[nodiscard]] Duration step_time(std::uint64_t seed, NodeId node, Round round) const;
};

}  // namespace gossamer
