#include <cmath>
#include <numbers>

#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {
namespace {

// Every edge has the same weight, since even an end's only edge leads to a node of degree 2. The
// Laplacian of a path has the eigenvalues 4 sin^2(pi k / 2n).
Mixing chain_mixing(NodeId nodes) {
  if (nodes == 1) return mixing_of_one();
  const double weight = nodes == 2 ? 1.0 / 2.0 : 1.0 / 3.0;
  const double sine = std::sin(std::numbers::pi / (2.0 * nodes));
  const double cosine = std::cos(std::numbers::pi / (2.0 * nodes));
  return mixing_from({4.0 * weight * sine * sine, 4.0 * weight * cosine * cosine});
}

}  // namespace

Result<std::unique_ptr<Topology>> make_chain(TopologyRequest& request) {
  const Result<NodeId> nodes = requested_nodes(request);
  if (!nodes) return nodes.error();
  const NodeId n = nodes.value();
  std::vector<NodePair> pairs;
  for (NodeId id = 1; id < n; ++id)
    pairs.push_back({id - 1, id});
  return make_constant("chain", metropolis_weights(make_graph(n, std::move(pairs))),
                       chain_mixing(n));
}

}  // namespace gossamer
