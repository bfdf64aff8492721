#include "gossamer/train/tune_gamma.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gossamer/compress/registry.hpp"
#include "gossamer/topology/registry.hpp"
#include "gossamer/topology/spectrum.hpp"
#include "gossamer/train/run.hpp"

namespace gossamer {
namespace {

constexpr int kCandidates = 20;
constexpr Round kRounds = 1000;
// Together with the rounds and the candidates they bound the work: some seconds of one core.
constexpr std::size_t kMostNumbers = 10'000;  // of a node
constexpr std::size_t kMostNumbersOfAll = 80'000;
constexpr std::size_t kLeastNumbers = 100;
constexpr NodeId kMostNodes = 16;

// The same blocks, the large ones with fewer rows, so that all together have about `most` numbers.
Layout smaller(const Layout& layout, std::size_t most) {
  if (layout.size() <= most) return layout;
  const double ratio = static_cast<double>(most) / static_cast<double>(layout.size());
  Layout small;
  for (const Block& block : layout.blocks()) {
    std::vector<std::size_t> shape = block.shape;
    if (!shape.empty() && shape.front() > 1) {
      const double rows = std::ceil(ratio * static_cast<double>(shape.front()));
      shape.front() = static_cast<std::size_t>(rows);
    }
    small.add(block.name, std::move(shape));
  }
  return small;
}

ConsensusData normal_models(const Layout& layout, const RunConfig& config) {
  ConsensusData data{layout, {}};
  for (NodeId id = 0; id < config.nodes; ++id) {
    Rng rng(RngKey{.seed = config.seed, .purpose = Purpose::kInit, .node = id});
    for (float& value : data.models.emplace_back(layout.size()).view())
      value = static_cast<float>(rng.normal());
  }
  return data;
}

// A graph of the same family with at most kMostNodes, if there is one.
Result<std::unique_ptr<Topology>> smaller_graph(const RunConfig& config) {
  auto small = make_topology(config.topology, std::min(config.nodes, kMostNodes), config.seed);
  return small ? std::move(small) : make_topology(config.topology, config.nodes, config.seed);
}

/// The experiment's algorithm and compressor on a consensus problem of their own.
Result<std::unique_ptr<Experiment>> make_trial(const Experiment& experiment) {
  auto trial = std::make_unique<Experiment>();
  RunConfig& config = trial->config;
  config.task = "consensus";
  config.algorithm = experiment.config.algorithm;
  config.topology = experiment.config.topology;
  config.seed = experiment.config.seed;
  config.rounds = kRounds;
  config.report = {kRounds};
  config.tolerances = {kGammaGoal};
  config.loss_limit = 1e4;
  config.nodes = experiment.config.nodes;

  auto topology = smaller_graph(config);
  if (!topology) return topology.error();
  trial->topology = std::move(topology).value();
  config.nodes = trial->topology->size();

  // A compressor that keeps a number of entries, not a share, may not fit a smaller model.
  const std::size_t most =
      std::clamp(kMostNumbersOfAll / config.nodes, kLeastNumbers, kMostNumbers);
  const Layout small = smaller(experiment.layout(), most);
  auto compressor = make_compressor(experiment.compressor->spec(), small);
  trial->consensus = normal_models(compressor ? small : experiment.layout(), config);
  trial->compressor = compressor ? std::shared_ptr<const Compressor>(std::move(compressor).value())
                                 : experiment.compressor;
  trial->algorithm = experiment.algorithm;
  return trial;
}

GammaTrial run_trial(Experiment& trial, float gamma) {
  trial.gamma = gamma;
  const RunOutcome outcome = run_experiment(trial, {}).value();
  GammaTrial result{.gamma = gamma, .error = std::nullopt, .reached = std::nullopt};
  const bool diverged = outcome.failure && outcome.failure->kind != Failure::Kind::kStalled;
  if (!diverged) result.error = outcome.last->error;
  const auto& first = outcome.tolerances.front().first;
  if (first && !diverged) result.reached = first->round;
  return result;
}

// Whether `a` is the better step: there first, or closer; the larger one if both are equal.
bool is_better(const GammaTrial& a, const GammaTrial& b) {
  constexpr Round kNever = std::numeric_limits<Round>::max();
  constexpr double kWorst = std::numeric_limits<double>::infinity();
  if (a.reached != b.reached) return a.reached.value_or(kNever) < b.reached.value_or(kNever);
  if (a.reached) return a.gamma > b.gamma;
  return a.error.value_or(kWorst) < b.error.value_or(kWorst);
}

}  // namespace

Result<GammaTuning> tune_gamma(const Experiment& experiment) {
  Result<std::unique_ptr<Experiment>> made = make_trial(experiment);
  if (!made) return made.error();
  Experiment& trial = *made.value();
  GammaTuning tuning{
      .trials = {}, .nodes = trial.config.nodes, .dim = trial.layout().size(), .rounds = kRounds};
  for (int i = 0; i < kCandidates; ++i) {
    const double exponent = -3.0 + 3.0 * i / (kCandidates - 1);
    tuning.trials.push_back(run_trial(trial, static_cast<float>(std::pow(10.0, exponent))));
  }
  const GammaTrial& best = *std::ranges::min_element(tuning.trials, is_better);
  if (!best.error) {
    return Error{fmt::format("no gamma from 0.001 to 1 keeps {} with '{}' stable on this graph",
                             experiment.algorithm.name, experiment.compressor->spec())};
  }
  tuning.best = best.gamma;
  return tuning;
}

Result<float> GammaTuner::gamma_for(const Experiment& experiment) {
  switch (experiment.algorithm.gamma) {
    case Gamma::kTuned: {
      const Result<GammaTuning> tuning = tune_gamma(experiment);
      if (!tuning) return tuning.error();
      return tuning.value().best;
    }
    case Gamma::kSpectral: {
      const Result<Mixing> mixing = mixing_of(*experiment.topology);
      if (!mixing) return mixing.error();
      if (!mixing.value().spectrum) return 1.0f;
      return static_cast<float>(mixing.value().spectrum->gamma_plain());
    }
    case Gamma::kNone:
    case Gamma::kOne:
      break;
  }
  return Error{fmt::format("{} has no gamma to tune; leave it out", experiment.algorithm.name)};
}

}  // namespace gossamer
