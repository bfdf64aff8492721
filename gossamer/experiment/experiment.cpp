#include "gossamer/experiment/experiment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/experiment/advice.hpp"
#include "gossamer/learn/models.hpp"
#include "gossamer/learn/registry.hpp"
#include "gossamer/network/registry.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer {
namespace {

Result<std::optional<std::size_t>> batch_of(const RunConfig& config) {
  if (config.batch == "full") return std::optional<std::size_t>();
  const auto batch = parse_number<std::size_t>(config.batch);
  if (batch && *batch > 0) return batch;
  return Error{fmt::format("batch must be a number of samples or 'full', not '{}'", config.batch)};
}

// What is not given is filled in, and what contradicts itself refused.

Result<NodeId> nodes_of(const RunConfig& config) {
  constexpr NodeId kDefault = 8;
  if (config.nodes > 0) return config.nodes;
  if (config.task == "consensus" && !config.data.empty()) return count_consensus_rows(config.data);
  const auto sized = make_topology(config.topology, std::nullopt, config.seed);
  return sized ? sized.value()->size() : kDefault;
}

bool takes_pictures(const std::string& model) {
  const Result<ModelInfo> info = find_model(model);
  return info && info.value().input == ModelInput::kPictures;
}

Result<void> complete(Experiment& experiment) {
  RunConfig& config = experiment.config;
  if (const Result<WorldInfo> world = find_world(config.network); !world) return world.error();
  const Result<NodeId> nodes = nodes_of(config);
  if (!nodes) return nodes.error();
  config.nodes = nodes.value();
  const bool is_libsvm = config.data.ends_with(".svm") || config.data.ends_with(".libsvm");
  if (config.task == "network" && config.model.empty() && is_libsvm) config.task = "logistic";
  if (config.task == "network" && config.model.empty()) config.model = "lenet";
  if (config.task == "network" && config.data.empty() && takes_pictures(config.model))
    config.data = "fashion-mnist";
  if (experiment.own_model) return {};
  if (config.batch.empty()) config.batch = config.task == "network" ? "32" : "1";
  return {};
}

Result<void> add_length(Experiment& experiment) {
  RunConfig& config = experiment.config;
  const std::optional<double> epoch =
      experiment.task ? experiment.task->rounds_per_epoch() : std::nullopt;
  if (config.epochs == 0.0 && config.rounds == 0) {
    if (config.task == "network") {
      config.epochs = 5.0;
    } else {
      config.rounds = 1000;
    }
  }
  if (config.epochs > 0.0 && config.partition == "own") {
    return Error{"nodes with data of their own have epochs of different lengths: give rounds"};
  }
  if (config.epochs > 0.0) {
    if (!epoch) return Error{fmt::format("{} has no epochs: give rounds", config.task)};
    config.rounds = static_cast<Round>(std::max(1.0, std::ceil(config.epochs * *epoch)));
  }
  experiment.rounds_per_epoch = epoch;
  // Rounds behind the last one may be for a run that goes on from this one.
  const bool reports = config.report.empty() || std::ranges::min(config.report) <= config.rounds;
  if (reports) return {};
  return Error{
      fmt::format("none of the rounds to report is within the {} of the run", config.rounds)};
}

// Each part fills in what it is about and hands on the first refusal.

Result<void> add_problem(Experiment& experiment, TaskKeeper& tasks) {
  const RunConfig& config = experiment.config;
  if (experiment.own_model) return {};
  if (config.task == "consensus") {
    Result<ConsensusData> data = make_consensus_data(config);
    if (!data) return data.error();
    experiment.consensus = std::move(data).value();
    return {};
  }
  const auto batch = batch_of(config);
  if (!batch) return batch.error();
  const Result<Sampling> sampling = parse_sampling(config.sampling);
  if (!sampling) return sampling.error();
  Result<std::shared_ptr<const Task>> task = tasks.task({.task = config.task,
                                                         .data = config.data,
                                                         .l2 = config.l2,
                                                         .partition = config.partition,
                                                         .batch = batch.value(),
                                                         .sampling = sampling.value(),
                                                         .nodes = config.nodes,
                                                         .seed = config.seed,
                                                         .dim = config.dim,
                                                         .condition = config.condition,
                                                         .noise = config.noise,
                                                         .model = config.model,
                                                         .loss = config.loss,
                                                         .input_shape = config.input_shape,
                                                         .augment = config.augment,
                                                         .vocabulary = config.vocabulary});
  if (!task) return task.error();
  experiment.task = std::move(task).value();
  return {};
}

// `step:at=150e/225e,warmup=5e`: a number with an e behind it counts epochs. Turns these into
// rounds.
Result<std::string> schedule_in_rounds(const Experiment& experiment) {
  std::string_view rest = experiment.config.schedule;
  std::string spec;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of("=/,:"), rest.size());
    const std::string_view word = rest.substr(0, end);
    const auto epochs =
        word.ends_with('e') ? parse_number<double>(word.substr(0, word.size() - 1)) : std::nullopt;
    if (epochs && !experiment.rounds_per_epoch) {
      return Error{fmt::format("schedule: '{}' counts epochs, and {} has none; give rounds", word,
                               experiment.config.task)};
    }
    if (epochs) {
      spec += fmt::format("{:.0f}", std::ceil(*epochs * *experiment.rounds_per_epoch));
    } else {
      spec += word;
    }
    if (end < rest.size()) spec += rest[end];
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return spec;
}

Result<void> add_optimizer(Experiment& experiment) {
  const RunConfig& config = experiment.config;
  Result<OptimizerSetup> optimizer = parse_optimizer(config.optimizer);
  if (!optimizer) return optimizer.error();
  experiment.optimizer = std::move(optimizer).value();
  const Result<std::string> in_rounds = schedule_in_rounds(experiment);
  if (!in_rounds) return in_rounds.error();
  Result<Schedule> schedule = make_schedule(in_rounds.value(), config.lr, config.rounds);
  if (!schedule) return schedule.error();
  experiment.schedule = std::move(schedule).value();
  return {};
}

Result<void> add_graph(Experiment& experiment) {
  const RunConfig& config = experiment.config;
  Result<std::unique_ptr<Topology>> topology =
      make_topology(config.topology, config.nodes, config.seed);
  if (!topology) return topology.error();
  experiment.topology = std::move(topology).value();
  return {};
}

Result<void> add_method(Experiment& experiment) {
  const RunConfig& config = experiment.config;
  Result<AlgorithmInfo> info = find_algorithm(config.algorithm);
  if (!info) return info.error();
  experiment.algorithm = std::move(info).value();
  if (!config.ordering.empty()) {
    experiment.ordering =
        config.ordering == "atc" ? Ordering::kAdaptThenCombine : Ordering::kCombineWhileAdapt;
  }
  Result<std::unique_ptr<const Compressor>> compressor =
      make_compressor(compressor_spec(config.compressor, experiment.layout()), experiment.layout());
  if (!compressor) return compressor.error();
  experiment.compressor = std::move(compressor).value();
  // Made once here for its refusals; every node makes its own.
  const auto algorithm = make_algorithm(config.algorithm, experiment.algorithm_setup(0));
  if (!algorithm) return algorithm.error();
  return {};
}

Result<void> add_gamma(Experiment& experiment, GammaSource& gammas) {
  std::string gamma = experiment.config.gamma;
  if (gamma.empty() && experiment.algorithm.gamma == Gamma::kTuned) gamma = "auto";
  if (gamma.empty()) return {};
  if (gamma == "auto") {
    const Result<float> found = gammas.gamma_for(experiment);
    if (!found) return found.error();
    experiment.gamma = found.value();
    return {};
  }
  const std::optional<float> number = parse_number<float>(gamma);
  if (!number || !std::isfinite(*number) || *number <= 0.0f) {
    return Error{fmt::format("gamma must be a number above 0 or 'auto', not '{}'", gamma)};
  }
  experiment.gamma = *number;
  const auto algorithm = make_algorithm(experiment.config.algorithm, experiment.algorithm_setup(0));
  if (!algorithm) return algorithm.error();
  return {};
}

Result<std::unique_ptr<Experiment>> finish(std::unique_ptr<Experiment> experiment,
                                           GammaSource& gammas, TaskKeeper& tasks) {
  const auto parts = std::to_array<std::function<Result<void>(Experiment&)>>(
      {complete, add_graph, [&](Experiment& to) { return add_problem(to, tasks); }, add_length,
       add_optimizer, add_method});
  for (const auto& add : parts) {
    if (const Result<void> added = add(*experiment); !added) return added.error();
  }
  if (const Result<void> possible = refuse_impossible(*experiment); !possible)
    return possible.error();
  if (const Result<void> added = add_gamma(*experiment, gammas); !added) return added.error();
  experiment->warnings = warnings_about(*experiment);
  return experiment;
}

}  // namespace

std::string compressor_spec(const std::string& given, const Layout& layout) {
  constexpr std::string_view kWhole = "whole:";
  if (given.starts_with(kWhole)) return given.substr(kWhole.size());
  const bool is_plain = given == "identity" || given.starts_with("layerwise");
  if (is_plain || layout.blocks().size() <= 1) return given;
  return "layerwise:" + given;
}

AlgorithmSetup Experiment::algorithm_setup(NodeId id) const {
  return {
      .compressor = compressor,
      .layout = layout(),
      .gamma = gamma,
      .ordering = ordering,
      .local_steps = config.local_steps,
      .rounds = config.rounds,
      .start = consensus ? AlgorithmSetup::Start::kOwnModels : AlgorithmSetup::Start::kEqualModels,
      .role =
          id < config.nodes ? AlgorithmSetup::Role::kWorker : AlgorithmSetup::Role::kCoordinator};
}

const Layout& Experiment::layout() const {
  if (own_model) return *own_model;
  return task ? task->layout() : consensus->layout;
}

std::vector<std::pair<std::string, std::string>> Experiment::identity() const {
  auto identity = identity_of(config);
  identity.insert(identity.end(), own_identity.begin(), own_identity.end());
  return identity;
}

Result<std::unique_ptr<Experiment>> make_experiment(const RunConfig& config, GammaSource& gammas) {
  TaskKeeper tasks;
  return make_experiment(config, gammas, tasks);
}

Result<std::unique_ptr<Experiment>> make_experiment(const RunConfig& config, GammaSource& gammas,
                                                    TaskKeeper& tasks) {
  auto experiment = std::make_unique<Experiment>();
  experiment->config = config;
  return finish(std::move(experiment), gammas, tasks);
}

Result<std::unique_ptr<Experiment>> make_own_experiment(const RunConfig& config,
                                                        const Layout& model, GammaSource& gammas) {
  auto experiment = std::make_unique<Experiment>();
  experiment->config = config;
  experiment->config.task = "own-loop";
  experiment->own_model = model;
  TaskKeeper tasks;
  return finish(std::move(experiment), gammas, tasks);
}

}  // namespace gossamer
