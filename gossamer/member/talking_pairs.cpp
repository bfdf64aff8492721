#include "gossamer/member/talking_pairs.hpp"

#include <algorithm>

namespace gossamer {

std::vector<std::pair<NodeId, NodeId>> talking_pairs(Reach reach, const Topology& topology) {
  std::vector<std::pair<NodeId, NodeId>> pairs;
  const NodeId n = topology.size();
  switch (reach) {
    case Reach::kNeighbours:
      for (Round t = 0; t < topology.period(); ++t) {
        for (NodeId id = 0; id < n; ++id) {
          for (const Edge& edge : topology.at(id, t).neighbours)
            pairs.push_back(std::minmax(id, edge.peer));
        }
      }
      break;
    case Reach::kRing:
      for (NodeId id = 0; id < n && n > 1; ++id)
        pairs.push_back(std::minmax(id, (id + 1) % n));
      break;
    case Reach::kEveryone:
      break;  // an empty list is everybody
    case Reach::kCoordinator:
      for (NodeId id = 0; id < n; ++id)
        pairs.emplace_back(id, n);
      break;
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

Graph talking_graph(Reach reach, const Topology& topology) {
  const NodeId endpoints = topology.size() + (reach == Reach::kCoordinator ? 1 : 0);
  std::vector<NodePair> pairs;
  for (const auto& [a, b] : talking_pairs(reach, topology))
    pairs.push_back({a, b});
  for (NodeId a = 0; a < endpoints && reach == Reach::kEveryone; ++a) {
    for (NodeId b = a + 1; b < endpoints; ++b)
      pairs.push_back({a, b});
  }
  return make_graph(endpoints, std::move(pairs));
}

}  // namespace gossamer
