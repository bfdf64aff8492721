#include "gossamer/topology/spanning_tree.hpp"

#include <algorithm>

namespace gossamer {
namespace {

std::vector<std::vector<NodeId>> neighbours_in(const Graph& graph,
                                               const std::function<bool(NodePair)>& is_live) {
  std::vector<std::vector<NodeId>> neighbours(graph.nodes);
  for (const NodePair& pair : graph.pairs) {
    if (!is_live(pair)) continue;
    neighbours[pair.a].push_back(pair.b);
    neighbours[pair.b].push_back(pair.a);
  }
  for (std::vector<NodeId>& row : neighbours)
    std::ranges::sort(row);
  return neighbours;
}

}  // namespace

SpanningTree spanning_tree(const Graph& graph, NodeId root,
                           const std::function<bool(NodePair)>& is_live) {
  const auto neighbours = neighbours_in(graph, is_live);
  SpanningTree tree{root, std::vector<std::optional<NodeId>>(graph.nodes),
                    std::vector<std::vector<NodeId>>(graph.nodes)};
  // Breadth first: a node is found by the first of those that are nearer to the root.
  std::vector<NodeId> found = {root};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const NodeId next : neighbours[found[i]]) {
      if (tree.reaches(next)) continue;
      tree.parent[next] = found[i];
      tree.children[found[i]].push_back(next);
      found.push_back(next);
    }
  }
  return tree;
}

SpanningTree spanning_tree(const Graph& graph, NodeId root) {
  return spanning_tree(graph, root, [](NodePair) { return true; });
}

}  // namespace gossamer
