#include <vector>

#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {

Result<std::unique_ptr<Topology>> make_complete(TopologyRequest& request) {
  const Result<NodeId> nodes = requested_nodes(request);
  if (!nodes) return nodes.error();
  const NodeId n = nodes.value();
  const Result<void> limit = limit_pairs("complete", n, 0.5 * n * (n - 1.0));
  if (!limit) return limit.error();

  std::vector<NodePair> pairs;
  for (NodeId a = 0; a < n; ++a) {
    for (NodeId b = a + 1; b < n; ++b)
      pairs.push_back({a, b});
  }
  // W takes the mean: every eigenvalue but the first is 0.
  const Mixing mixing = n == 1 ? mixing_of_one() : mixing_from({1.0, 1.0});
  return make_constant("complete", metropolis_weights(make_graph(n, std::move(pairs))), mixing);
}

}  // namespace gossamer
