#include <vector>

#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {
namespace {

// Every edge weighs 1/n. The eigenvalues of W are 1, then 1 - 1/n for each way in which leaves
// differ (n - 2 of them), and 0 for the hub against the leaves.
Mixing star_mixing(NodeId nodes) {
  if (nodes == 1) return mixing_of_one();
  return mixing_from({nodes == 2 ? 1.0 : 1.0 / nodes, 1.0});
}

}  // namespace

Result<std::unique_ptr<Topology>> make_star(TopologyRequest& request) {
  const Result<NodeId> nodes = requested_nodes(request);
  if (!nodes) return nodes.error();
  const NodeId n = nodes.value();
  std::vector<NodePair> pairs;
  for (NodeId leaf = 1; leaf < n; ++leaf)
    pairs.push_back({0, leaf});
  return make_constant("star", metropolis_weights(make_graph(n, std::move(pairs))), star_mixing(n));
}

}  // namespace gossamer
