// Networks under every algorithm that is registered: many tensors of many shapes, compressed one by
// one, and statistics or a carried state that stay with their node.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/models/model_cases.hpp"
#include "tests/models/model_runs.hpp"
#include "tests/models/model_state.hpp"
#include "tests/support/vectors.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/experiment/dense_traffic.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer::testing {
namespace {

using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr NodeId kNodes = 3;
constexpr Round kRounds = 3;

// What its paper compresses with, or a relative of it; whole models for all that is not listed.
std::string compressor_for(const std::string& algorithm) {
  static const std::map<std::string, std::string> kFitting = {
      {"choco", "sign"},    {"deepsqueeze", "topk:0.1"}, {"dcd", "minmax:8"},
      {"ecd", "minmax:16"}, {"qsparse", "topk:0.05"},    {"qsparse-async", "topk:0.05+qsgd:4"},
      {"ef-sgd", "sign"},   {"naive", "qsgd:8"},         {"q1", "minmax:8"},
      {"q2", "minmax:8"}};
  const auto found = kFitting.find(algorithm);
  return found == kFitting.end() ? "identity" : found->second;
}

struct AlgorithmCase {
  AlgorithmInfo algorithm;
  std::string model;
  std::string name;
};

void PrintTo(const AlgorithmCase& tested, std::ostream* out) {
  *out << tested.algorithm.name << " with " << tested.model;
}

std::vector<AlgorithmCase> algorithm_cases() {
  std::vector<AlgorithmCase> cases;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    std::string name = algorithm.name;
    std::erase(name, '-');
    cases.push_back({algorithm, "resnet20", name + "Resnet20"});
    cases.push_back({algorithm, "lstm:layers=1,hidden=8,embedding=8,length=5", name + "Lstm"});
  }
  return cases;
}

std::unique_ptr<Experiment> experiment_on(const std::string& network, const AlgorithmCase& tested) {
  RunSettings settings = {{"model", tested.model},
                          {"data", tested.model == "resnet20" ? shared_idx(8) : shared_text()},
                          {"nodes", std::to_string(kNodes)},
                          {"batch", "2"},
                          {"algorithm", tested.algorithm.example},
                          {"compressor", compressor_for(tested.algorithm.name)},
                          {"optimizer", "nesterov:0.9,weight-decay=1e-4"},
                          {"lr", "0.01"},
                          {"rounds", std::to_string(kRounds)},
                          {"report", "1,3"},
                          {"network", network}};
  // A number, so that nothing is tuned.
  if (tested.algorithm.gamma == Gamma::kTuned) settings.emplace_back("gamma", "0.1");
  return model_experiment(settings);
}

std::vector<float> first_model_of(const Experiment& experiment) {
  std::vector<float> x(experiment.layout().size());
  experiment.task->objective_of(0)->initialize({.seed = 0, .purpose = Purpose::kInit}, view(x));
  return x;
}

class EveryAlgorithm : public ::testing::TestWithParam<AlgorithmCase> {};

TEST_P(EveryAlgorithm, TrainsIt) {
  const auto experiment = experiment_on("inproc", GetParam());
  const ModelRun run = run_model(*experiment);
  ASSERT_THAT(run.reports, SizeIs(2));
  for (const Measurement& report : run.reports) {
    ASSERT_TRUE(report.train_loss && report.tested);
    EXPECT_TRUE(std::isfinite(*report.train_loss));
    EXPECT_TRUE(std::isfinite(report.tested->mean_model.loss));
    EXPECT_TRUE(std::isfinite(report.consensus_distance.value()));
  }
  ASSERT_EQ(run.outcome.model.size(), experiment->layout().size());
  EXPECT_FALSE(same_bits(run.outcome.model, first_model_of(*experiment)));

  const double sent = run.outcome.last->bytes_sent_per_node;
  const std::string compressor = experiment->compressor->spec();
  EXPECT_GT(sent, 0.0);
  if (compressor == "identity") return;
  EXPECT_THAT(compressor, StartsWith("layerwise:"));
  EXPECT_LT(sent, dense_bytes_per_node(*experiment, kRounds));
  if (experiment->algorithm.reach != Reach::kNeighbours) return;
  // On a ring, two messages a round.
  const auto message = experiment->compressor->encoded_size(RngKey{}) + kFrameHeaderSize;
  EXPECT_EQ(sent, static_cast<double>(kRounds * 2 * message));
}

// One algorithm of each reach, and the one that sends most messages; tests/train compares all of
// them, on other models.
class AlgorithmInSimulation : public ::testing::TestWithParam<AlgorithmCase> {};

TEST_P(AlgorithmInSimulation, HasTheSameNumbers) {
  const ModelRun threads = run_model(*experiment_on("inproc", GetParam()));
  const ModelRun simulated = run_model(*experiment_on("sim", GetParam()));
  EXPECT_EQ(threads.rows(), simulated.rows());
  EXPECT_TRUE(same_bits(threads.outcome.model, simulated.outcome.model));
}

std::vector<AlgorithmCase> simulated_cases() {
  std::vector<AlgorithmCase> cases = algorithm_cases();
  std::erase_if(cases, [](const AlgorithmCase& tested) {
    constexpr std::array<std::string_view, 5> kSimulated = {"choco", "powergossip", "allreduce",
                                                            "ef-sgd", "qsparse-async"};
    return std::ranges::count(kSimulated, tested.algorithm.name) == 0;
  });
  return cases;
}

std::string name_of_algorithm_case(const ::testing::TestParamInfo<AlgorithmCase>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryAlgorithm, ::testing::ValuesIn(algorithm_cases()),
                         name_of_algorithm_case);

INSTANTIATE_TEST_SUITE_P(Registered, AlgorithmInSimulation, ::testing::ValuesIn(simulated_cases()),
                         name_of_algorithm_case);

}  // namespace
}  // namespace gossamer::testing
