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

// Switches tried per link before the graph counts as random, and how often that is repeated while
// it is not connected. From degree 3 on, large random regular graphs are connected almost surely.
constexpr std::size_t kSwitchesPerLink = 10;
constexpr int kRepeats = 100;

/// A regular graph that forgets where it began: two links trade ends wherever the result is still
/// simple. The walk reaches every simple graph of the same degrees, each as likely as any other,
/// and unlike random pairing it never gets stuck, however large the degree.
class SwitchWalk {
 public:
  SwitchWalk(NodeId nodes, std::vector<Link> links, Rng& rng)
      : nodes_(nodes), links_(std::move(links)), rng_(rng) {
    for (const Link& link : links_)
      present_.insert(key(link));
  }

  void walk(std::size_t attempts) {
    for (std::size_t i = 0; i < attempts; ++i)
      try_switch();
  }

  [[nodiscard]] Graph graph() const { return make_graph(nodes_, links_); }

 private:
  [[nodiscard]] static std::uint64_t key(const Link& link) {
    return std::uint64_t{link.a} << 32 | link.b;
  }

  [[nodiscard]] bool is_free(const Link& link) const { return !present_.contains(key(link)); }

  void try_switch() {
    const auto count = static_cast<std::uint32_t>(links_.size());
    Link& first = links_[rng_.below(count)];
    Link& second = links_[rng_.below(count)];
    const bool flip = rng_.below(2) == 1;
    const NodeId c = flip ? second.b : second.a;
    const NodeId d = flip ? second.a : second.b;
    if (first.a == c || first.b == d) return;
    const Link one = link_between(first.a, c);
    const Link other = link_between(first.b, d);
    // Links that share a node, or are the same, fail here: what they would become is there already.
    if (!is_free(one) || !is_free(other)) return;
    replace(first, one);
    replace(second, other);
  }

  void replace(Link& link, const Link& by) {
    present_.erase(key(link));
    present_.insert(key(by));
    link = by;
  }

  NodeId nodes_;
  std::vector<Link> links_;
  std::unordered_set<std::uint64_t>
      present_;  // asked only, never walked through: its order is not ours
  Rng& rng_;
};

// Each node with its nearest ones on a circle, and with the opposite one if the degree is odd.
std::vector<Link> circle(NodeId nodes, NodeId degree) {
  std::vector<Link> links;
  for (NodeId id = 0; id < nodes; ++id) {
    for (NodeId hop = 1; hop <= degree / 2; ++hop) {
      links.push_back(link_between(id, (id + hop) % nodes));
    }
  }
  for (NodeId id = 0; degree % 2 == 1 && id < nodes / 2; ++id)
    links.push_back({id, id + nodes / 2});
  return links;
}

// Connected graphs of degree 2 are rings. A walk would nearly always end in several of them.
Graph random_ring(NodeId nodes, Rng& rng) {
  std::vector<NodeId> order(nodes);
  std::iota(order.begin(), order.end(), NodeId{0});
  for (NodeId left = nodes; left > 1; --left)
    std::swap(order[left - 1], order[rng.below(left)]);
  std::vector<Link> links;
  for (NodeId i = 0; i < nodes; ++i)
    links.push_back(link_between(order[i], order[(i + 1) % nodes]));
  return make_graph(nodes, std::move(links));
}

Result<Graph> random_regular_graph(NodeId nodes, NodeId degree, Rng& rng) {
  if (degree == 2) return random_ring(nodes, rng);
  std::vector<Link> start = circle(nodes, degree);
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
  return limit_links(fmt::format("random-regular:{}", degree), nodes, 0.5 * nodes * degree);
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
