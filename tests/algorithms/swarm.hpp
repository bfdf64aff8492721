#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/vectors.hpp"

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {

/// A small run: n nodes, each with f_i(x) = |x - b_i|^2 / 2 and its own b_i.
struct Swarm {
  std::string algorithm = "choco";
  std::string compressor = "identity";
  std::string topology = "ring";
  NodeId nodes = 8;
  std::size_t size = 50;
  float gamma = 1.0f;
  std::optional<Ordering> ordering = std::nullopt;
  float lr = 0.0f;
  int rounds = 50;
  /// The first model of a node; zeros if none is given.
  std::function<std::vector<float>(NodeId)> start = nullptr;
};

using Models = std::vector<std::vector<float>>;

inline std::vector<float> target_of(NodeId id, std::size_t size) {
  return normal_vector(size, 100 + id);
}

/// The models of all nodes after the run. `watch(round, node)` sees every node at the end of every
/// round, on the node's own thread.
inline Models run(const Swarm& swarm, const std::function<void(int, Node&)>& watch = {}) {
  const Layout layout = Layout::flat(swarm.size);
  const std::shared_ptr<const Compressor> compressor =
      std::move(make_compressor(swarm.compressor, layout)).value();
  const auto topology = std::move(make_topology(swarm.topology, swarm.nodes, 0)).value();
  Models models(swarm.nodes);
  run_inproc(swarm.nodes, [&](Network& network) {
    Node node({network, *topology, layout, 5});
    const auto algorithm =
        std::move(make_algorithm(swarm.algorithm, {compressor, swarm.gamma, swarm.ordering}))
            .value();
    if (swarm.start) node.x() = view(std::as_const(models[node.id()] = swarm.start(node.id())));
    algorithm->start(node);
    const std::vector<float> b = target_of(node.id(), swarm.size);
    FloatBuffer u(swarm.size);
    for (int round = 0; round < swarm.rounds; ++round) {
      algorithm->before_gradient(node);
      u.view() = -swarm.lr * (node.x() - view(b));
      algorithm->after_gradient(node, u.view());
      node.end_round();
      if (watch) watch(round, node);
    }
    models[node.id()].assign(node.x().begin(), node.x().end());
  });
  return models;
}

inline std::vector<double> mean_of(const Models& models) {
  std::vector<double> mean(models.front().size(), 0.0);
  for (const std::vector<float>& model : models) {
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += double{model[i]} / static_cast<double>(models.size());
  }
  return mean;
}

/// sum_i |x_i - center|^2
inline double squared_distance_to(const Models& models, const std::vector<double>& center) {
  double total = 0.0;
  for (const std::vector<float>& model : models) {
    for (std::size_t i = 0; i < center.size(); ++i)
      total += (model[i] - center[i]) * (model[i] - center[i]);
  }
  return total;
}

}  // namespace gossamer::testing
