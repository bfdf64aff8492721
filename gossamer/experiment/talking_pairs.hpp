#pragma once

#include <utility>
#include <vector>

#include "gossamer/experiment/experiment.hpp"

namespace gossamer {

/// Who talks to whom in a run, the smaller id first; no pairs: everybody to everybody.
[[nodiscard]] std::vector<std::pair<NodeId, NodeId>> talking_pairs(const Experiment& experiment);

/// The same for any nodes of a graph whose algorithm reaches so far.
[[nodiscard]] std::vector<std::pair<NodeId, NodeId>> talking_pairs(Reach reach,
                                                                   const Topology& topology);

/// Whom one endpoint of a run talks to.
[[nodiscard]] std::vector<NodeId> partners_of(NodeId self, const Experiment& experiment);

/// How many rounds two nodes can be apart: those who talk to each other, as many as pass between
/// two of their meetings; and no two are more than all others apart.
[[nodiscard]] Round most_rounds_apart(const Experiment& experiment);

}  // namespace gossamer
