#include "gossamer/train/talking_pairs.hpp"

#include <algorithm>

namespace gossamer {

std::vector<std::pair<NodeId, NodeId>> talking_pairs(const Experiment& experiment) {
  std::vector<std::pair<NodeId, NodeId>> pairs;
  const NodeId n = experiment.config.nodes;
  const Topology& topology = *experiment.topology;
  switch (experiment.algorithm.reach) {
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
  const auto rest = std::ranges::unique(pairs);
  pairs.erase(rest.begin(), rest.end());
  return pairs;
}

}  // namespace gossamer
