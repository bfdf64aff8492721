#include <numeric>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/rng.hpp"
#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {
namespace {

// Switches tried per pair before the graph counts as random, and how often that is repeated while
// it is not connected. From degree 3 on, large random regular graphs are connected almost surely.
constexpr std::size_t kSwitchesPerLink = 10;
constexpr int kRepeats = 100;

/// A regular graph that forgets where it began: two pairs trade ends wherever the result is still
/// simple. The walk reaches every simple graph of the same degrees, each as likely as any other,
/// and unlike random pairing it never gets stuck, however large the degree.
class SwitchWalk {
 public:
  SwitchWalk(NodeId nodes, std::vector<NodePair> pairs, Rng& rng)
      : nodes_(nodes), pairs_(std::move(pairs)), rng_(rng) {
    for (const NodePair& pair : pairs_)
      present_.insert(key(pair));
  }

  void walk(std::size_t attempts) {
    for (std::size_t i = 0; i < attempts; ++i)
      try_switch();
  }

  [[nodiscard]] Graph graph() const { return make_graph(nodes_, pairs_); }

 private:
  [[nodiscard]] static std::uint64_t key(const NodePair& pair) {
    return std::uint64_t{pair.a} << 32 | pair.b;
  }

  [[nodiscard]] bool is_free(const NodePair& pair) const { return !present_.contains(key(pair)); }

  void try_switch() {
    const auto count = static_cast<std::uint32_t>(pairs_.size());
    NodePair& first = pairs_[rng_.below(count)];
    NodePair& second = pairs_[rng_.below(count)];
    const bool flip = rng_.below(2) == 1;
    const NodeId c = flip ? second.b : second.a;
    const NodeId d = flip ? second.a : second.b;
    if (first.a == c || first.b == d) return;
    const NodePair one = pair_of(first.a, c);
    const NodePair other = pair_of(first.b, d);
    // Pairs that share a node, or are the same, fail here: what they would become is there already.
    if (!is_free(one) || !is_free(other)) return;
    replace(first, one);
    replace(second, other);
  }

  void replace(NodePair& pair, const NodePair& by) {
    present_.erase(key(pair));
    present_.insert(key(by));
    pair = by;
  }

  NodeId nodes_;
  std::vector<NodePair> pairs_;
  std::unordered_set<std::uint64_t>
      present_;  // asked only, never walked through: its order is not ours
  Rng& rng_;
};

// Each node with its nearest ones on a circle, and with the opposite one if the degree is odd.
std::vector<NodePair> circle(NodeId nodes, NodeId degree) {
  std::vector<NodePair> pairs;
  for (NodeId id = 0; id < nodes; ++id) {
    for (NodeId hop = 1; hop <= degree / 2; ++hop) {
      pairs.push_back(pair_of(id, (id + hop) % nodes));
    }
  }
  for (NodeId id = 0; degree % 2 == 1 && id < nodes / 2; ++id)
    pairs.push_back({id, id + nodes / 2});
  return pairs;
}

// Connected graphs of degree 2 are rings. A walk would nearly always end in several of them.
Graph random_ring(NodeId nodes, Rng& rng) {
  std::vector<NodeId> order(nodes);
  std::iota(order.begin(), order.end(), NodeId{0});
  for (NodeId left = nodes; left > 1; --left)
    std::swap(order[left - 1], order[rng.below(left)]);
  std::vector<NodePair> pairs;
  for (NodeId i = 0; i < nodes; ++i)
    pairs.push_back(pair_of(order[i], order[(i + 1) % nodes]));
  return make_graph(nodes, std::move(pairs));
}

Result<Graph> random_regular_graph(NodeId nodes, NodeId degree, Rng& rng) {
  if (degree == 2) return random_ring(nodes, rng);
  std::vector<NodePair> start = circle(nodes, degree);
  const std::size_t attempts = kSwitchesPerLink * start.size();
  SwitchWalk walk(nodes, std::move(start), rng);
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    walk.walk(attempts);
    Graph graph = walk.graph();
    if (is_connected(graph)) return graph;
  }
  return Error{fmt::format(
      "random-regular:{} found no connected graph of {} nodes; try another seed", degree, nodes)};
}

Result<void> check_degree(NodeId nodes, NodeId degree) {
  const auto refuse = [&](std::string_view why) {
    return Error{fmt::format("random-regular:{} cannot have {} nodes: {}", degree, nodes, why)};
  };
  if (degree >= nodes) return refuse("each needs more neighbours than there are others");
  if (degree % 2 == 1 && nodes % 2 == 1)
    return refuse("an odd degree needs an even number of nodes");
  if (degree == 1 && nodes > 2) return refuse("with one neighbour each they are not connected");
  return limit_pairs(fmt::format("random-regular:{}", degree), nodes, 0.5 * nodes * degree);
}

}  // namespace

Result<std::unique_ptr<Topology>> make_random_regular(TopologyRequest& request) {
  const std::optional<std::uint64_t> requested =
      request.options.positional_integer("degree", 1, kMostNodes - 1);
  const Result<NodeId> nodes = requested_nodes(request);
  if (!nodes) return nodes.error();
  if (!requested) return Error{"random-regular needs a degree, as in random-regular:4"};
  const auto degree = static_cast<NodeId>(*requested);
  if (const Result<void> possible = check_degree(nodes.value(), degree); !possible) {
    return possible.error();
  }

  Rng rng(RngKey{.seed = request.seed, .purpose = Purpose::kTopology});
  const Result<Graph> graph = random_regular_graph(nodes.value(), degree, rng);
  if (!graph) return graph.error();
  return make_constant(fmt::format("random-regular:{}", degree), metropolis_weights(graph.value()),
                       std::nullopt);
}

}  // namespace gossamer
