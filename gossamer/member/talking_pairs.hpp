#pragma once

#include <utility>
#include <vector>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/topology/graph.hpp"

namespace gossamer {

/// Who talks to whom, the smaller id first, where an algorithm reaches so far on a graph; no pairs:
/// everybody to everybody.
[[nodiscard]] std::vector<std::pair<NodeId, NodeId>> talking_pairs(Reach reach,
                                                                   const Topology& topology);

/// The same as a graph of all endpoints, a coordinator among them.
[[nodiscard]] Graph talking_graph(Reach reach, const Topology& topology);

}  // namespace gossamer
