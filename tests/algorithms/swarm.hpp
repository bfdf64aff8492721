#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/come_together.hpp"
#include "tests/support/vectors.hpp"

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/member/node_host.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {

/// How a swarm's nodes are run: run_inproc, or another world of the same shape.
using RunWorld = std::function<void(NodeId, const std::function<void(Network&)>&)>;

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
  Round local_steps = 1;
  /// The first model of a node; zeros if none is given.
  std::function<std::vector<float>(NodeId)> start = nullptr;
  /// The whole model as one matrix of so many rows; 0: a vector.
  std::size_t rows = 0;
  RunWorld world = run_inproc;
  /// Goes on without neighbours that are lost.
  bool goes_on_without_lost = false;
  /// Of the targets b_i, and of the nodes' random numbers.
  std::uint64_t seed = 0;
  /// Puts something around the compressor that all nodes share.
  std::function<std::shared_ptr<const Compressor>(std::shared_ptr<const Compressor>)> decorate =
      nullptr;
};

using Models = std::vector<std::vector<float>>;

inline std::vector<float> target_of(NodeId id, std::size_t size, std::uint64_t seed = 0) {
  return normal_vector(size, 100 + id + 10'000 * seed);
}

/// The seed that a swarm's nodes draw from.
inline std::uint64_t node_seed(const Swarm& swarm) {
  return 5 + swarm.seed;
}

inline Layout layout_of(const Swarm& swarm) {
  if (swarm.rows == 0) return Layout::flat(swarm.size);
  Layout layout;
  layout.add("matrix", {swarm.rows, swarm.size / swarm.rows});
  return layout;
}

inline std::shared_ptr<const Compressor> make_compressor_of(const Swarm& swarm,
                                                            const Layout& layout) {
  std::shared_ptr<const Compressor> plain =
      std::move(make_compressor(swarm.compressor, layout)).value();
  return swarm.decorate ? swarm.decorate(std::move(plain)) : plain;
}

/// What a swarm's nodes share.
struct SwarmParts {
  explicit SwarmParts(const Swarm& swarm)
      : layout(layout_of(swarm)),
        compressor(make_compressor_of(swarm, layout)),
        topology(std::move(make_topology(swarm.topology, swarm.nodes, 0)).value()),
        setup{.compressor = compressor,
              .layout = layout,
              .gamma = swarm.gamma,
              .ordering = swarm.ordering,
              .local_steps = swarm.local_steps,
              .rounds = static_cast<Round>(swarm.rounds),
              .start = swarm.start ? AlgorithmSetup::Start::kOwnModels
                                   : AlgorithmSetup::Start::kEqualModels} {}

  Layout layout;
  std::shared_ptr<const Compressor> compressor;
  std::unique_ptr<Topology> topology;
  AlgorithmSetup setup;
};

/// Whether the algorithm takes the swarm's settings.
inline bool accepts(const Swarm& swarm) {
  return make_algorithm(swarm.algorithm, SwarmParts(swarm).setup).ok();
}

/// Sees every node that trains at the end of every round, on the node's own thread.
using Watch = std::function<void(int, Node&, Algorithm&)>;

/// The models of all nodes after the run.
inline Models run(const Swarm& swarm, const Watch& watch = {}) {
  const SwarmParts parts(swarm);
  const bool coordinated = find_algorithm(swarm.algorithm).value().reach == Reach::kCoordinator;
  Models models(swarm.nodes);
  swarm.world(swarm.nodes + (coordinated ? 1 : 0), [&](Network& network) {
    NodeHost host({.network = network,
                   .topology = *parts.topology,
                   .layout = parts.layout,
                   .seed = node_seed(swarm)});
    if (swarm.goes_on_without_lost) come_together(host);
    Node& node = host.node();
    const bool trains = node.id() < swarm.nodes;
    AlgorithmSetup setup = parts.setup;
    if (!trains) setup.role = AlgorithmSetup::Role::kCoordinator;
    const auto algorithm = std::move(make_algorithm(swarm.algorithm, setup)).value();
    if (swarm.start && trains)
      node.x() = view(std::as_const(models[node.id()] = swarm.start(node.id())));
    algorithm->start(node);
    const std::vector<float> b = target_of(node.id(), swarm.size, swarm.seed);
    FloatBuffer g(swarm.size);
    for (int round = 0; round < swarm.rounds; ++round) {
      algorithm->before_gradient(node);
      if (trains) {
        g.view() = node.x() - view(b);
        algorithm->share_gradient(node, g.view());
        g.view() *= -swarm.lr;
      }
      algorithm->after_gradient(node, g.view());
      node.end_round();
      if (watch && trains) watch(round, node, *algorithm);
    }
    if (trains) models[node.id()].assign(node.x().begin(), node.x().end());
  });
  return models;
}

/// Copies what visit_state() shows.
class ReadState final : public StateVisitor {
 public:
  void visit(std::string_view name, Vec values) override {
    vectors[std::string(name)].assign(values.begin(), values.end());
  }

  void visit(std::string_view name, std::uint64_t& number) override {
    numbers[std::string(name)] = number;
  }

  std::map<std::string, std::vector<float>> vectors;
  std::map<std::string, std::uint64_t> numbers;
};

inline std::vector<float> copy_of(CVec x) {
  return {x.begin(), x.end()};
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
