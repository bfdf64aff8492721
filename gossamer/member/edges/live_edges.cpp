#include "gossamer/member/edges/live_edges.hpp"

#include <algorithm>

namespace gossamer {

LiveEdges::Generation LiveEdges::generation(NodePair pair) const {
  const auto found = changes_.find(pair);
  return found == changes_.end() ? 0 : found->second;
}

bool LiveEdges::note(NodePair pair, Generation generation) {
  if (generation <= this->generation(pair)) return false;
  if (!std::binary_search(graph_.pairs.begin(), graph_.pairs.end(), pair)) return false;
  changes_[pair] = generation;
  return true;
}

std::vector<NodeId> LiveEdges::neighbours(NodeId node) const {
  std::vector<NodeId> found;
  for (const NodePair& pair : graph_.pairs) {
    if (pair.a == node) found.push_back(pair.b);
    if (pair.b == node) found.push_back(pair.a);
  }
  return found;
}

std::vector<NodeId> LiveEdges::reachable_from(NodeId node) const {
  std::vector<bool> seen(graph_.nodes, false);
  std::vector<NodeId> found = {node};
  seen[node] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const NodeId next : neighbours(found[i])) {
      if (seen[next] || !has(pair_of(found[i], next))) continue;
      seen[next] = true;
      found.push_back(next);
    }
  }
  return found;
}

}  // namespace gossamer
