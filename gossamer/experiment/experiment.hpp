#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/experiment/consensus_data.hpp"
#include "gossamer/learn/task.hpp"
#include "gossamer/learn/task_keeper.hpp"
#include "gossamer/node/optimizer.hpp"
#include "gossamer/node/schedule.hpp"
#include "gossamer/settings/config.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {

/// The objects that a config names, made and checked against each other before the first round:
/// what cannot work is refused here, in one sentence.
struct Experiment {
  RunConfig config;
  AlgorithmInfo algorithm;
  std::unique_ptr<Topology> topology;

  /// What is learned: one of these three. Consensus starts from vectors; a loop of somebody's own
  /// has a model of which nothing is known here but its layout.
  std::shared_ptr<const Task> task;
  std::optional<ConsensusData> consensus;
  std::optional<Layout> own_model;
  /// What else must be equal at all nodes of a loop of somebody's own, as name and value.
  std::vector<std::pair<std::string, std::string>> own_identity;
  /// Nothing where there are no samples.
  std::optional<double> rounds_per_epoch;

  std::shared_ptr<const Compressor> compressor;
  float gamma = 1.0f;
  std::optional<Ordering> ordering;
  OptimizerSetup optimizer;
  std::optional<Schedule> schedule;

  /// What theory or experience says against this combination; it runs all the same.
  std::vector<std::string> warnings;

  [[nodiscard]] const Layout& layout() const;

  /// All that decides what is computed: what goes on from each other's checkpoints has the same.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> identity() const;

  /// Endpoints of the network: the nodes, and a coordinator where there is one.
  [[nodiscard]] NodeId endpoints() const {
    return config.nodes + (algorithm.reach == Reach::kCoordinator ? 1 : 0);
  }

  /// The algorithm for one node.
  [[nodiscard]] AlgorithmSetup algorithm_setup(NodeId id) const;
};

/// The compressor that a user means: a model of many tensors is compressed tensor by tensor, as the
/// papers do, unless the user says otherwise.
[[nodiscard]] std::string compressor_spec(const std::string& given, const Layout& layout);

/// Finds a step gamma for a config whose gamma is `auto`; asked only then.
class GammaSource {
 public:
  GammaSource() = default;
  GammaSource(const GammaSource&) = delete;
  GammaSource& operator=(const GammaSource&) = delete;
  virtual ~GammaSource() = default;

  [[nodiscard]] virtual Result<float> gamma_for(const Experiment& experiment) = 0;
};

/// Makes the objects that a config names, or says in a sentence what cannot work.
[[nodiscard]] Result<std::unique_ptr<Experiment>> make_experiment(const RunConfig& config,
                                                                  GammaSource& gammas);

/// The same, for one of several runs: those that learn the same share its task.
[[nodiscard]] Result<std::unique_ptr<Experiment>> make_experiment(const RunConfig& config,
                                                                  GammaSource& gammas,
                                                                  TaskKeeper& tasks);

/// For a loop of somebody's own: all of it but what is learned.
[[nodiscard]] Result<std::unique_ptr<Experiment>> make_own_experiment(const RunConfig& config,
                                                                      const Layout& model,
                                                                      GammaSource& gammas);

}  // namespace gossamer
