#include <bit>
#include <vector>

#include <fmt/format.h>

#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {
namespace {

// lambda = 1 - 2k / (p + 1) for k = 0 .. p.
Mixing hypercube_mixing(NodeId nodes) {
  if (nodes == 1) return mixing_of_one();
  const int p = std::countr_zero(nodes);
  return mixing_from({2.0 / (p + 1.0), 2.0 * p / (p + 1.0)});
}

}  // namespace

Result<std::unique_ptr<Topology>> make_hypercube(TopologyRequest& request) {
  const Result<NodeId> nodes = requested_nodes(request);
  if (!nodes) return nodes.error();
  const NodeId n = nodes.value();
  if (!std::has_single_bit(n)) {
    return Error{
        fmt::format("hypercube needs a power of two for its number of nodes, {} or {}, not {}",
                    std::bit_floor(n), std::bit_ceil(n), n)};
  }

  // Neighbours differ in one bit.
  std::vector<NodePair> pairs;
  for (NodeId id = 0; id < n; ++id) {
    for (NodeId bit = 1; bit < n; bit *= 2) {
      if ((id & bit) == 0) pairs.push_back({id, id | bit});
    }
  }
  return make_constant("hypercube", metropolis_weights(make_graph(n, std::move(pairs))),
                       hypercube_mixing(n));
}

}  // namespace gossamer
