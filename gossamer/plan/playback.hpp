#pragma once

#include "gossamer/base/result.hpp"
#include "gossamer/network/sim/sim.hpp"
#include "gossamer/plan/round_script.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {

struct PlayedRound {
  double seconds = 0;         // of the slowest node
  double bytes_per_node = 0;  // sent, with headers; the mean over nodes
};

/// Lets every node of a graph follow the script on a simulated network, and returns what a round
/// takes once all are under way. `network.pairs` and `network.hosts` are set here.
[[nodiscard]] Result<PlayedRound> play(const RoundScript& script, const Topology& topology,
                                       const SimSetup& network, Duration gradient);

}  // namespace gossamer
