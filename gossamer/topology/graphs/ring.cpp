#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/graphs/cycle.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {
namespace {

// lambda_k = (1 + 2 cos(2 pi k / n)) / 3 for three nodes or more.
Mixing ring_mixing(NodeId nodes) {
  if (nodes == 1) return mixing_of_one();
  const Cycle cycle{nodes};
  const double weight = 1.0 / (1.0 + cycle.degree());
  return mixing_from({weight * cycle.slowest(), weight * cycle.fastest()});
}

}  // namespace

Result<std::unique_ptr<Topology>> make_ring(TopologyRequest& request) {
  const Result<NodeId> nodes = requested_nodes(request);
  if (!nodes) return nodes.error();
  const NodeId n = nodes.value();
  std::vector<NodePair> pairs;
  for (NodeId id = 0; n > 1 && id < n; ++id)
    pairs.push_back(pair_of(id, (id + 1) % n));
  return make_constant("ring", metropolis_weights(make_graph(n, std::move(pairs))), ring_mixing(n));
}

}  // namespace gossamer
