#include "gossamer/topology/graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

class ConstantTopology final : public Topology {
 public:
  ConstantTopology(std::string spec, MixingMatrix W, std::optional<Mixing> closed_form)
      : spec_(std::move(spec)), W_(std::move(W)), closed_form_(closed_form) {}

  [[nodiscard]] NodeId size() const override { return W_.size(); }

  [[nodiscard]] Neighborhood at(NodeId id, Round) const override { return W_.row(id); }

  [[nodiscard]] std::span<const Edge> listeners(NodeId id, Round) const override {
    return W_.row(id).neighbours;
  }

  [[nodiscard]] Round period() const override { return 1; }

  [[nodiscard]] bool is_symmetric() const override { return true; }

  [[nodiscard]] const std::string& spec() const override { return spec_; }

  [[nodiscard]] std::optional<Mixing> closed_form() const override { return closed_form_; }

 private:
  std::string spec_;
  MixingMatrix W_;
  std::optional<Mixing> closed_form_;
};

// The representative of a node's set, with the path to it halved on the way.
NodeId find_root(std::vector<NodeId>& parents, NodeId id) {
  while (parents[id] != id)
    id = parents[id] = parents[parents[id]];
  return id;
}

}  // namespace

NodePair pair_of(NodeId one, NodeId other) {
  expects(one != other, "a pair joins two different nodes");
  return {std::min(one, other), std::max(one, other)};
}

Graph make_graph(NodeId nodes, std::vector<NodePair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const NodePair& pair : pairs)
    expects(pair.a < pair.b && pair.b < nodes, "a pair joins two nodes of its graph");
  return {nodes, std::move(pairs)};
}

Graph graph_of(const Topology& topology) {
  std::vector<NodePair> pairs;
  for (Round t = 0; t < topology.period(); ++t) {
    for (NodeId id = 0; id < topology.size(); ++id) {
      for (const Edge& edge : topology.at(id, t).neighbours) {
        // A symmetric graph shows every pair again from its other end.
        if (topology.is_symmetric() && edge.peer < id) continue;
        pairs.push_back(pair_of(id, edge.peer));
      }
    }
  }
  return make_graph(topology.size(), std::move(pairs));
}

std::vector<NodeId> neighbours_in(const Graph& graph, NodeId node) {
  std::vector<NodeId> found;
  for (const NodePair& pair : graph.pairs) {
    if (pair.a == node) found.push_back(pair.b);
    if (pair.b == node) found.push_back(pair.a);
  }
  std::ranges::sort(found);
  return found;
}

bool is_connected(const Graph& graph) {
  std::vector<NodeId> parents(graph.nodes);
  std::iota(parents.begin(), parents.end(), NodeId{0});
  NodeId sets = graph.nodes;
  for (const NodePair& pair : graph.pairs) {
    const NodeId a = find_root(parents, pair.a);
    const NodeId b = find_root(parents, pair.b);
    if (a == b) continue;
    parents[a] = b;
    --sets;
  }
  return sets <= 1;
}

std::unique_ptr<Topology> make_constant(std::string spec, MixingMatrix W,
                                        std::optional<Mixing> closed_form) {
  return std::make_unique<ConstantTopology>(std::move(spec), std::move(W), closed_form);
}

}  // namespace gossamer
