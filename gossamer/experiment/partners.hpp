#pragma once

#include <vector>

#include "gossamer/experiment/experiment.hpp"
#include "gossamer/topology/spanning_tree.hpp"

namespace gossamer {

/// Whom one endpoint of a run talks to.
[[nodiscard]] std::vector<NodeId> partners_of(NodeId self, const Experiment& experiment);

/// How many rounds two nodes can be apart: those who talk to each other, as many as pass between
/// two of their meetings; and no two are more than all others apart.
[[nodiscard]] Round most_rounds_apart(const Experiment& experiment);

/// The order in which the models of a whole run are summed for their mean, wherever its nodes are.
[[nodiscard]] SpanningTree mean_tree(const Experiment& experiment);

}  // namespace gossamer
