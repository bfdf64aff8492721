#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/base/time.hpp"

namespace gossamer {

/// One thing that a node does, in numbers alone.
struct ScriptStep {
  enum class Kind : std::uint8_t {
    kGradient,  // as long as a gradient step takes
    kWork,      // computes for fixed_work and, for each of its peers, work_per_peer
    kSend,      // a message of so many bytes to each of its peers
    kGather,    // waits for the next message of each
  };

  Kind kind = Kind::kGradient;
  Duration fixed_work{};
  Duration work_per_peer{};
  std::size_t bytes = 0;  // of the payload

  [[nodiscard]] Duration work(std::size_t peers) const {
    return fixed_work + static_cast<Duration::rep>(peers) * work_per_peer;
  }

  bool operator==(const ScriptStep&) const = default;
};

/// What a node of some algorithm does between one meeting and the next, without the numbers that it
/// does it on: enough to know how long it takes on any network, for any number of nodes.
struct RoundScript {
  Reach reach = Reach::kNeighbours;
  std::vector<ScriptStep> steps;
  /// Gradient steps in it: 1, or as many as are local.
  Round rounds = 1;
  /// How many nodes a ring cuts the model for; 0 where that makes no difference.
  NodeId shares = 0;
};

}  // namespace gossamer
