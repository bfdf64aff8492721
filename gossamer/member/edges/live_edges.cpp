#include "gossamer/member/edges/live_edges.hpp"

#include <algorithm>

namespace gossamer {

LiveEdges::Generation LiveEdges::generation(Link link) const {
  const auto found = changes_.find(link);
  return found == changes_.end() ? 0 : found->second;
}

bool LiveEdges::note(Link link, Generation generation) {
  if (generation <= this->generation(link)) return false;
  if (!std::binary_search(graph_.links.begin(), graph_.links.end(), link)) return false;
  changes_[link] = generation;
  return true;
}

std::vector<NodeId> LiveEdges::neighbours(NodeId node) const {
  std::vector<NodeId> found;
  for (const Link& link : graph_.links) {
    if (link.a == node) found.push_back(link.b);
    if (link.b == node) found.push_back(link.a);
  }
  return found;
}

std::vector<NodeId> LiveEdges::reachable_from(NodeId node) const {
  std::vector<bool> seen(graph_.nodes, false);
  std::vector<NodeId> found = {node};
  seen[node] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const NodeId next : neighbours(found[i])) {
      if (seen[next] || !has(link_between(found[i], next))) continue;
      seen[next] = true;
      found.push_back(next);
    }
  }
  return found;
}

}  // namespace gossamer
