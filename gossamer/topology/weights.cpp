#include "gossamer/topology/weights.hpp"

#include <algorithm>
#include <vector>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

std::vector<NodeId> degrees_of(const Graph& graph) {
  std::vector<NodeId> degrees(graph.nodes, 0);
  for (const NodePair& pair : graph.pairs) {
    ++degrees[pair.a];
    ++degrees[pair.b];
  }
  return degrees;
}

// weight(k) is the weight of graph.pairs[k].
template <typename Weight>
MixingMatrix weigh(const Graph& graph, std::span<const NodeId> degrees, Weight weight) {
  std::vector<std::size_t> next(degrees.size(), 0);
  for (std::size_t id = 1; id < degrees.size(); ++id)
    next[id] = next[id - 1] + degrees[id - 1];

  // Pairs come sorted, so a row receives first the peers below its node and then those above it,
  // each in order: rows are born sorted.
  std::vector<Edge> edges(2 * graph.pairs.size());
  for (std::size_t k = 0; k < graph.pairs.size(); ++k) {
    const auto [a, b] = graph.pairs[k];
    const double w = weight(k);
    edges[next[a]++] = {b, w};
    edges[next[b]++] = {a, w};
  }
  return MixingMatrix(degrees, std::move(edges));
}

MixingMatrix weigh_by_degree(const Graph& graph, NodeId extra) {
  const std::vector<NodeId> degrees = degrees_of(graph);
  return weigh(graph, degrees, [&](std::size_t k) {
    const auto [a, b] = graph.pairs[k];
    return 1.0 / (extra + std::max(degrees[a], degrees[b]));
  });
}

}  // namespace

MixingMatrix metropolis_weights(const Graph& graph) {
  return weigh_by_degree(graph, 1);
}

MixingMatrix max_degree_weights(const Graph& graph) {
  return weigh_by_degree(graph, 0);
}

MixingMatrix given_weights(const Graph& graph, std::span<const double> weights) {
  expects(weights.size() == graph.pairs.size(), "one weight for each pair");
  return weigh(graph, degrees_of(graph), [&](std::size_t k) { return weights[k]; });
}

}  // namespace gossamer
