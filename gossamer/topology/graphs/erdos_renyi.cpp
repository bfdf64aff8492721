#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/rng.hpp"
#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {
namespace {

constexpr Round kTries = 100;
constexpr double kLeastProbability = 1e-6;

/// How many pairs are passed over before the next one becomes an edge, so that a sparse graph costs
/// its edges and not its pairs. From a table of powers instead of a logarithm: multiplication gives
/// the same bits on every machine, and every process of a run must draw the same graph.
class Gaps {
 public:
  explicit Gaps(double probability) {
    const auto entries = static_cast<std::size_t>(std::ceil(1.0 / probability));
    double none = 1.0;
    for (std::size_t k = 0; k < entries; ++k) {
      none *= 1.0 - probability;
      no_edge_among_.push_back(none);
    }
  }

  [[nodiscard]] std::uint64_t next(Rng& rng) const {
    std::uint64_t gap = 0;
    for (;;) {
      const double u = rng.uniform();
      const auto end =
          std::ranges::partition_point(no_edge_among_, [u](double p) { return p > u; });
      gap += static_cast<std::uint64_t>(end - no_edge_among_.begin());
      // Beyond the table the game begins anew: it has no memory.
      if (end != no_edge_among_.end()) return gap;
    }
  }

 private:
  std::vector<double> no_edge_among_;  // entry k: the probability that k + 1 pairs hold no edge
};

// Pairs in the order (0,1), (0,2), (1,2), (0,3), ...: row b holds the b pairs (a, b) with a < b.
Graph draw_graph(NodeId nodes, const Gaps& gaps, Rng& rng) {
  std::vector<NodePair> edges;
  std::uint64_t a = gaps.next(rng);
  for (NodeId b = 1; b < nodes; ++b) {
    for (; a < b; a += 1 + gaps.next(rng))
      edges.push_back({static_cast<NodeId>(a), b});
    a -= b;
  }
  return make_graph(nodes, std::move(edges));
}

Result<Graph> draw_connected_graph(NodeId nodes, double probability, std::uint64_t seed) {
  const Gaps gaps(probability);
  for (Round attempt = 0; attempt < kTries; ++attempt) {
    Rng rng(RngKey{.seed = seed, .purpose = Purpose::kTopology, .round = attempt});
    Graph graph = draw_graph(nodes, gaps, rng);
    if (is_connected(graph)) return graph;
  }
  return Error{
      fmt::format("erdos-renyi:{} with {} nodes was not connected in {} tries; the probability "
                  "should be above ln(nodes) / nodes = {:.2g}",
                  probability, nodes, kTries, std::log(nodes) / nodes)};
}

}  // namespace

Result<std::unique_ptr<Topology>> make_erdos_renyi(TopologyRequest& request) {
  const std::optional<double> probability =
      request.options.positional_number("probability", kLeastProbability, 1.0);
  const Result<NodeId> nodes = requested_nodes(request);
  if (!nodes) return nodes.error();
  if (!probability) return Error{"erdos-renyi needs a probability, as in erdos-renyi:0.3"};
  const std::string spec = fmt::format("erdos-renyi:{}", *probability);
  const double pairs = 0.5 * nodes.value() * (nodes.value() - 1.0);
  if (const Result<void> limit = limit_pairs(spec, nodes.value(), *probability * pairs); !limit) {
    return limit.error();
  }

  const Result<Graph> graph = draw_connected_graph(nodes.value(), *probability, request.seed);
  if (!graph) return graph.error();
  return make_constant(spec, metropolis_weights(graph.value()), std::nullopt);
}

}  // namespace gossamer
