#include "gossamer/experiment/advice.hpp"

#include <optional>

#include <fmt/format.h>

#include "gossamer/experiment/checkpoint_interval.hpp"
#include "gossamer/network/registry.hpp"
#include "gossamer/topology/spectrum.hpp"

namespace gossamer {
namespace {

std::optional<double> one_minus_lambda_n(const Topology& topology) {
  const Result<Mixing> mixing = mixing_of(topology);
  if (!mixing || !mixing.value().spectrum) return std::nullopt;
  return mixing.value().spectrum->one_minus_lambda_n;
}

// What every algorithm may be asked about its graph.
Warnings warnings_about_graph(const Experiment& experiment) {
  const AlgorithmInfo& algorithm = experiment.algorithm;
  if (algorithm.reach != Reach::kNeighbours) {
    if (experiment.config.topology == RunConfig{}.topology) return {};
    return {fmt::format("{} does not talk along a graph: topology '{}' is not used", algorithm.name,
                        experiment.config.topology)};
  }
  if (algorithm.symmetry == Symmetry::kNotNeeded || experiment.topology->is_symmetric()) return {};
  return {fmt::format("the theory of {} needs a symmetric mixing matrix, and that of '{}' is not",
                      algorithm.name, experiment.topology->spec())};
}

// What does not fit between an algorithm and its graph.
Result<void> refuse_graph(const AlgorithmInfo& algorithm, const Topology& topology) {
  if (topology.is_time_varying() && algorithm.needs_constant_graph) {
    return Error{
        fmt::format("{} keeps sums over its neighbours, which need a graph that does not "
                    "change; '{}' does: take deepsqueeze or dpsgd, or another topology",
                    algorithm.name, topology.spec())};
  }
  if (!topology.is_symmetric() && algorithm.symmetry == Symmetry::kNeeded) {
    return Error{fmt::format("{} compares pairs of nodes, and '{}' has edges that go one way",
                             algorithm.name, topology.spec())};
  }
  return {};
}

}  // namespace

Result<void> refuse_impossible(const Experiment& experiment) {
  const AlgorithmInfo& algorithm = experiment.algorithm;
  const Topology& topology = *experiment.topology;
  if (experiment.consensus && algorithm.consensus == Consensus::kNever) {
    return Error{
        fmt::format("{} averages gradients, and consensus has none; take one of those that "
                    "gossip, such as choco, powergossip or exact",
                    algorithm.name)};
  }
  if (Result<void> fits = refuse_graph(algorithm, topology); !fits) return fits;
  if (checkpoint_interval(experiment) > 0) {
    if (Result<void> can = can_resume(experiment); !can) return can;
  }
  if (experiment.config.on_peer_loss == "drop") {
    if (algorithm.reach != Reach::kNeighbours || topology.is_time_varying() ||
        !topology.is_symmetric()) {
      return Error{fmt::format(
          "{} on '{}' cannot go on without a lost peer: that takes an algorithm that talks to "
          "neighbours alone, on a graph that is symmetric and does not change; give --on-peer-loss "
          "stop",
          algorithm.name, topology.spec())};
    }
    const auto made = make_algorithm(experiment.config.algorithm, experiment.algorithm_setup(0));
    if (Result<void> can = made.value()->can_lose_neighbours(); !can) return can;
  }
  if (find_world(experiment.config.network).value().clock == WorldClock::kVirtual) {
    for (const auto& [node, time] : experiment.config.compute.per_node) {
      if (node >= experiment.config.nodes) {
        return Error{fmt::format("sim.node: there is no node {}; the nodes are 0 to {}", node,
                                 experiment.config.nodes - 1)};
      }
    }
  }
  return {};
}

std::vector<std::string> warnings_about(const Experiment& experiment) {
  Warnings warnings = experiment.algorithm.judge(
      {.spec = experiment.config.algorithm,
       .compressor = *experiment.compressor,
       .gamma = experiment.gamma,
       .seed = experiment.config.seed,
       .one_minus_lambda_n = [&] { return one_minus_lambda_n(*experiment.topology); }});
  for (std::string& warning : warnings_about_graph(experiment))
    warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace gossamer
