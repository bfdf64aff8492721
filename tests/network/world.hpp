#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gossamer/network/network.hpp"

namespace gossamer::testing {

/// A kind of network that the laws are tested on.
struct World {
  std::string name;
  /// Runs the function once for every node and returns when all have ended. Throws what a node
  /// threw that runs in this process.
  std::function<void(NodeId, const std::function<void(Network&)>&)> run;
  /// Whether this node runs in this process.
  std::function<bool(NodeId)> is_here = [](NodeId) { return true; };
  NodeId most_nodes = 24;
};

/// Defined by each program that tests the laws.
[[nodiscard]] std::vector<World> worlds();

}  // namespace gossamer::testing
