#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gossamer/topology/graph.hpp"

namespace gossamer {

/// A tree over the nodes that can be reached from its root, on shortest ways; of several, by way of
/// the lowest ids. A function of graph and root alone: nodes that know the same edges have the same
/// tree.
struct SpanningTree {
  NodeId root = 0;
  std::vector<std::optional<NodeId>> parent;  // by node; nothing for the root and the unreachable
  std::vector<std::vector<NodeId>> children;  // by node, ascending

  [[nodiscard]] bool reaches(NodeId node) const { return node == root || parent[node].has_value(); }
};

/// Over the edges for which `is_live` holds.
[[nodiscard]] SpanningTree spanning_tree(const Graph& graph, NodeId root,
                                         const std::function<bool(NodePair)>& is_live);

/// Over all edges.
[[nodiscard]] SpanningTree spanning_tree(const Graph& graph, NodeId root);

}  // namespace gossamer
