#include "gossamer/experiment/talking_pairs.hpp"

#include <algorithm>

namespace gossamer {

std::vector<std::pair<NodeId, NodeId>> talking_pairs(const Experiment& experiment) {
  return talking_pairs(experiment.algorithm.reach, *experiment.topology);
}

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
  const auto rest = std::ranges::unique(pairs);
  pairs.erase(rest.begin(), rest.end());
  return pairs;
}

std::vector<NodeId> partners_of(NodeId self, const Experiment& experiment) {
  std::vector<NodeId> partners;
  const auto pairs = talking_pairs(experiment);
  for (const auto& [one, other] : pairs) {
    if (one == self) partners.push_back(other);
    if (other == self) partners.push_back(one);
  }
  for (NodeId id = 0; pairs.empty() && id < experiment.endpoints(); ++id) {
    if (id != self) partners.push_back(id);
  }
  return partners;
}

Round most_rounds_apart(const Experiment& experiment) {
  const Round between_meetings = experiment.config.local_steps * experiment.topology->period();
  return (experiment.endpoints() - 1) * between_meetings;
}

}  // namespace gossamer
