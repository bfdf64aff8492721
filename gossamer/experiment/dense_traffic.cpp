#include "gossamer/experiment/dense_traffic.hpp"

#include "gossamer/wire/frame.hpp"

namespace gossamer {
namespace {

/// Over one period of a graph that changes.
double mean_degree(const Topology& topology) {
  std::size_t edges = 0;
  for (Round t = 0; t < topology.period(); ++t) {
    for (NodeId id = 0; id < topology.size(); ++id)
      edges += topology.at(id, t).neighbours.size();
  }
  return static_cast<double>(edges) / static_cast<double>(topology.period() * topology.size());
}

}  // namespace

double dense_bytes_per_node(const Experiment& experiment, Round rounds) {
  const auto n = static_cast<double>(experiment.config.nodes);
  const auto size = static_cast<double>(sizeof(float) * experiment.layout().size());
  const auto header = static_cast<double>(kFrameHeaderSize);
  const auto per_round = [&] {
    switch (experiment.algorithm.reach) {
      case Reach::kNeighbours:
        return mean_degree(*experiment.topology) * (size + header);
      case Reach::kEveryone:
        return (n - 1) * (size + header);
      case Reach::kCoordinator:
        return 2 *
               (size + header);  // there and back: a coordinator's traffic counts as its worker's
      case Reach::kRing:
        return 2 * (n - 1) * (size / n + header);
    }
    return 0.0;
  };
  return static_cast<double>(rounds) * per_round();
}

}  // namespace gossamer
