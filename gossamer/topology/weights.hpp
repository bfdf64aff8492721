#pragma once

#include <span>

#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/mixing_matrix.hpp"

namespace gossamer {

/// Metropolis-Hastings weights of a lazy walk, w_ij = 1 / (1 + max(deg i, deg j)): symmetric and
/// stochastic on every graph, every node keeps a share of its own model, and on a regular graph all
/// shares are equal.
[[nodiscard]] MixingMatrix metropolis_weights(const Graph& graph);

/// w_ij = 1 / max(deg i, deg j), as the Choco-SGD paper weighs its social network. A node of
/// greatest degree may keep nothing of its own; a regular bipartite graph (a ring of even size)
/// never converges with it.
[[nodiscard]] MixingMatrix max_degree_weights(const Graph& graph);

/// weights[k] for graph.pairs[k], in both directions. No node's may sum to more than 1.
[[nodiscard]] MixingMatrix given_weights(const Graph& graph, std::span<const double> weights);

}  // namespace gossamer
