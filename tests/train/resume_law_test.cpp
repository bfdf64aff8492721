// Laws of every registered algorithm inside a run (docs/golden_numbers.md): the same numbers in
// every world, and a run that was interrupted and resumed, here or there, is the run that was not.

#include <optional>
#include <string>
#include <vector>

#include "tests/support/temporary_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/vectors.hpp"
#include "tests/train/algorithm_settings.hpp"
#include "tests/train/runs.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

constexpr Round kRounds = 12;
constexpr Round kCheckpointEvery = 5;
constexpr Round kInterruptedAt = 8;

// 24 rows of 6 numbers, labels -1 and +1.
std::string small_svm() {
  std::string text;
  for (std::uint64_t row = 0; row < 24; ++row) {
    text += row % 3 == 0 ? "-1" : "+1";
    const std::vector<float> a = normal_vector(6, row);
    for (std::size_t j = 0; j < a.size(); ++j)
      text += fmt::format(" {}:{}", j + 1, a[j]);
    text += "\n";
  }
  return text;
}

struct Problem {
  std::string name;
  Settings settings;
  bool is_consensus = false;
};

std::vector<Problem> problems() {
  return {{"Quadratic", {{"task", "quadratic"}, {"dim", "15"}, {"noise", "0.1"}, {"lr", "0.01"}}},
          {"Logistic", {{"task", "logistic"}, {"batch", "2"}, {"lr", "0.1"}}},
          {"Matrices", {{"task", "consensus"}, {"matrix", "5x4"}}, true}};
}

struct Case {
  AlgorithmInfo algorithm;
  std::string compressor;
  Problem problem;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    for (const Problem& problem : problems()) {
      if (problem.is_consensus && algorithm.consensus == Consensus::kNever) continue;
      for (const char* compressor : {"qsgd:4", "randk:0.5"})
        all.push_back({algorithm, compressor, problem});
    }
  }
  return all;
}

class RunLaw : public ::testing::TestWithParam<Case> {
 protected:
  RunLaw() : data_(small_svm()) {}

  [[nodiscard]] std::unique_ptr<Experiment> experiment_on(const std::string& network) const {
    Settings settings = GetParam().problem.settings;
    if (GetParam().problem.name == "Logistic") settings.emplace_back("data", data_.path());
    settings.insert(settings.end(), {{"nodes", "4"},
                                     {"algorithm", GetParam().algorithm.example},
                                     {"optimizer", "heavy-ball:0.9"},
                                     {"rounds", std::to_string(kRounds)},
                                     {"report", rounds_up_to(kRounds)},
                                     {"checkpoint-every", std::to_string(kCheckpointEvery)},
                                     {"sim.compute", "3ms"},
                                     {"network", network}});
    // A number, so that nothing is tuned.
    if (GetParam().algorithm.gamma == Gamma::kTuned) settings.emplace_back("gamma", "0.2");
    settings = with_if_allowed(settings, "compressor", GetParam().compressor);
    return experiment_of(with_if_allowed(settings, "local-steps", "3"));
  }

  // Ends after the checkpoint of round 5 and the report of round 8.
  static void run_and_interrupt(const Experiment& experiment, CheckpointStore& store) {
    RunOptions options;
    options.checkpoints = &store;
    options.report = [](const Measurement& measurement) {
      if (measurement.round == kInterruptedAt)
        throw RunFailed({Failure::Kind::kFile, 0, kInterruptedAt, "test", "interrupted"});
    };
    const auto outcome = run_experiment(experiment, options);
    ASSERT_TRUE(outcome);
    ASSERT_TRUE(outcome.value().failure);
    ASSERT_EQ(outcome.value().failure->quantity, "test") << outcome.value().failure->sentence;
  }

  static Recorded resume(const Experiment& experiment, CheckpointStore& store) {
    const Result<Round> newest = store.newest();
    EXPECT_TRUE(newest) << newest.error().message;
    EXPECT_EQ(newest.value(), kCheckpointEvery);
    RunOptions options;
    options.checkpoints = &store;
    options.resume_from = newest.value();
    return record(experiment, options);
  }

 private:
  TemporaryFile data_;
};

TEST_P(RunLaw, HasTheSameNumbersInEveryWorld) {
  const Recorded threads = record(*experiment_on("inproc"));
  const Recorded simulated = record(*experiment_on("sim"));
  ASSERT_FALSE(threads.outcome.failure) << threads.outcome.failure->sentence;
  ASSERT_EQ(threads.reports.size(), kRounds + 1);
  EXPECT_EQ(fingerprints(threads.reports), fingerprints(simulated.reports));
}

TEST_P(RunLaw, GoesOnFromACheckpointAsIfNothingHadHappened) {
  const Recorded whole = record(*experiment_on("inproc"));
  const std::vector<Fingerprint> all = fingerprints(whole.reports);
  const std::vector<Fingerprint> rest(all.begin() + kCheckpointEvery + 1, all.end());
  for (const char* first : {"inproc", "sim"}) {
    const TemporaryFolder folder;
    const auto begun = experiment_on(first);
    CheckpointStore store(folder.path(), identity_of(begun->config), begun->endpoints());
    run_and_interrupt(*begun, store);
    for (const char* second : {"inproc", "sim"}) {
      const auto resumed = experiment_on(second);
      resumed->config.checkpoint_every = 0;  // so that the next one begins where this one did
      CheckpointStore later(folder.path(), identity_of(resumed->config), resumed->endpoints());
      const Recorded recorded = resume(*resumed, later);
      EXPECT_FALSE(recorded.outcome.failure);
      EXPECT_EQ(fingerprints(recorded.reports), rest) << first << ", then " << second;
    }
  }
}

std::string name_of_case(const ::testing::TestParamInfo<Case>& tested) {
  const Case& c = tested.param;
  std::string name = c.algorithm.name + c.problem.name + c.compressor.substr(0, 5);
  std::erase_if(name, [](char letter) { return std::isalnum(letter) == 0; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(EveryAlgorithm, RunLaw, ::testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace gossamer::testing
