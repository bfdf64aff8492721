#include "gossamer/experiment/partners.hpp"

#include "gossamer/member/talking_pairs.hpp"

namespace gossamer {

std::vector<NodeId> partners_of(NodeId self, const Experiment& experiment) {
  std::vector<NodeId> partners;
  for (const auto& [a, b] : talking_graph(experiment.algorithm.reach, *experiment.topology).pairs) {
    if (a == self) partners.push_back(b);
    if (b == self) partners.push_back(a);
  }
  return partners;
}

Round most_rounds_apart(const Experiment& experiment) {
  const Round between_meetings = experiment.config.local_steps * experiment.topology->period();
  return (experiment.endpoints() - 1) * between_meetings;
}

SpanningTree mean_tree(const Experiment& experiment) {
  return spanning_tree(talking_graph(experiment.algorithm.reach, *experiment.topology), 0);
}

}  // namespace gossamer
