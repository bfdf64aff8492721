// Runs that fail: each is named with its node, its round and what went wrong, and all that was
// measured before is kept.

#include "gossamer/member/failure.hpp"

#include <cmath>
#include <string>

#include "tests/support/temporary_folder.hpp"
#include "tests/train/runs.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::HasSubstr;

constexpr const char* kNetworks[] = {"inproc", "sim"};

Settings quadratic_on(const std::string& network, Settings more) {
  Settings settings = {{"task", "quadratic"}, {"dim", "50"},        {"algorithm", "dpsgd"},
                       {"rounds", "40"},      {"network", network}, {"report", rounds_up_to(40)}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

void expect_reports_up_to(const Recorded& recorded, Round round) {
  ASSERT_EQ(recorded.reports.size(), round + 1);
  for (Round i = 0; i <= round; ++i)
    EXPECT_EQ(recorded.reports[i].round, i);
  EXPECT_EQ(recorded.outcome.last->round, round);
}

TEST(Failure, OfDcdWithTooNoisyACompressorIsDivergence) {
  // Rows of norm one and a loss that is linear far away: what explodes is the models, and with them
  // the loss. Golden step: about 30, and not beyond ten times that.
  const Recorded recorded = record({{"task", "logistic"},
                                    {"algorithm", "dcd"},
                                    {"compressor", "randk:0.1,unbiased"},
                                    {"schedule", "inverse:a=400,b=200"},
                                    {"rounds", "300"},
                                    {"report", "0,5,300"}});
  ASSERT_TRUE(recorded.outcome.failure);
  const Failure& failure = *recorded.outcome.failure;
  EXPECT_THAT(failure.kind, AnyOf(Failure::Kind::kDiverged, Failure::Kind::kNonFinite));
  EXPECT_GT(failure.round, 5u);
  EXPECT_LT(failure.round, 300u);
  EXPECT_THAT(failure.quantity, AnyOf(Eq("loss"), Eq("message")));
  EXPECT_THAT(failure.sentence, HasSubstr(fmt::format("after {} rounds", failure.round)));
  EXPECT_THAT(failure.sentence, HasSubstr(fmt::format("node {}", failure.node)));
  EXPECT_EQ(recorded.reports.size(), 2u);
}

TEST(Failure, OfAHugeLearningRateIsANumberThatIsNotFinite) {
  for (const char* network : kNetworks) {
    const Recorded recorded = record(quadratic_on(network, {{"lr", "1e30"}}));
    ASSERT_TRUE(recorded.outcome.failure) << network;
    const Failure& failure = *recorded.outcome.failure;
    EXPECT_THAT(failure.kind, AnyOf(Failure::Kind::kNonFinite, Failure::Kind::kDiverged));
    EXPECT_LT(failure.round, 3u);
    EXPECT_GE(recorded.reports.size(), 1u) << "round 0 is kept";
  }
}

TEST(Failure, OfAModelThatIsNotFiniteNamesTheMessage) {
  for (const char* network : kNetworks) {
    const Recorded recorded = record(quadratic_on(
        network,
        {{"algorithm", "choco"}, {"gamma", "1"}, {"lr", "3e38"}, {"loss-limit", "1e300"}}));
    ASSERT_TRUE(recorded.outcome.failure) << network;
    EXPECT_EQ(recorded.outcome.failure->kind, Failure::Kind::kNonFinite);
    EXPECT_THAT(recorded.outcome.failure->quantity, AnyOf(Eq("message"), Eq("loss")));
  }
}

TEST(Failure, AboveTheLimitOfTheLossIsDivergenceThere) {
  for (const char* network : kNetworks) {
    // f(0) is about 50 * 5.5 / 2 for each node, so that the first gradient is the last.
    const Recorded recorded =
        record(quadratic_on(network, {{"loss-limit", "1"}, {"report", "40"}}));
    ASSERT_TRUE(recorded.outcome.failure);
    EXPECT_EQ(recorded.outcome.failure->kind, Failure::Kind::kDiverged);
    EXPECT_EQ(recorded.outcome.failure->round, 0u);
    EXPECT_EQ(recorded.outcome.failure->quantity, "loss");
  }
}

TEST(Failure, OfTheLastRoundShowsInTheAveragedModel) {
  for (const char* network : kNetworks) {
    // Losses are computed with models before the round: the second is of about 1e50.
    const Recorded recorded =
        record(quadratic_on(network, {{"lr", "1e25"}, {"loss-limit", "1e300"}, {"rounds", "2"}}));
    ASSERT_TRUE(recorded.outcome.failure) << network;
    EXPECT_EQ(recorded.outcome.failure->kind, Failure::Kind::kNonFinite);
    EXPECT_EQ(recorded.outcome.failure->round, 2u);
    EXPECT_EQ(recorded.outcome.failure->quantity, "model");
    EXPECT_TRUE(recorded.outcome.model.empty());
  }
}

// Who notices first on threads is chance; what is said of it is not.
TEST(Failure, IsTheSameInEveryRepetition) {
  for (const Settings& more :
       {Settings{{"lr", "0.2"}}, Settings{{"topology", "chain"}, {"lr", "0.3"}, {"noise", "3"}},
        Settings{{"algorithm", "dcd"}, {"compressor", "randk:0.2,unbiased"}, {"lr", "0.05"}}}) {
    const Recorded simulated = record(quadratic_on("sim", more));
    ASSERT_TRUE(simulated.outcome.failure);
    EXPECT_EQ(simulated.outcome.failure->kind, Failure::Kind::kDiverged);
    EXPECT_GT(simulated.outcome.failure->round, 0u);
    for (int repetition = 0; repetition < 10; ++repetition) {
      const Recorded threads = record(quadratic_on("inproc", more));
      ASSERT_TRUE(threads.outcome.failure);
      EXPECT_EQ(threads.outcome.failure->sentence, simulated.outcome.failure->sentence);
      EXPECT_EQ(threads.outcome.failure->round, simulated.outcome.failure->round);
    }
  }
}

TEST(Failure, OfConsensusNamesTheErrorAndTheFarthestNode) {
  for (const char* network : kNetworks) {
    const Recorded recorded = record({{"task", "consensus"},
                                      {"dim", "200"},
                                      {"algorithm", "choco"},
                                      {"compressor", "topk:0.01"},
                                      {"gamma", "1"},
                                      {"rounds", "2000"},
                                      {"report", rounds_up_to(2000)},
                                      {"network", network}});
    ASSERT_TRUE(recorded.outcome.failure);
    const Failure& failure = *recorded.outcome.failure;
    EXPECT_EQ(failure.kind, Failure::Kind::kDiverged);
    EXPECT_EQ(failure.quantity, "consensus error");
    EXPECT_EQ(failure.node, recorded.outcome.last->farthest_node);
    EXPECT_GT(recorded.outcome.last->error, 1e8);
    expect_reports_up_to(recorded, failure.round);
  }
}

TEST(Failure, OfASimulatedMachineIsALostNeighbour) {
  RunConfig config = config_of(quadratic_on("sim", {{"sim.compute", "10ms"}}));
  config.sim.failures = {{5, Time(std::chrono::milliseconds(105))}};
  GammaTuner gammas;
  const Recorded recorded = record(*make_experiment(config, gammas).value());
  ASSERT_TRUE(recorded.outcome.failure);
  const Failure& failure = *recorded.outcome.failure;
  EXPECT_EQ(failure.kind, Failure::Kind::kLost);
  EXPECT_THAT(failure.node, AnyOf(4u, 6u));
  EXPECT_EQ(failure.quantity, "message of node 5");
  EXPECT_THAT(failure.sentence, HasSubstr("lost node 5"));
  // A round takes 10 ms, and its message leaves at once: node 5 stops in its round 10, and the
  // message that is missed is that of round 11.
  EXPECT_EQ(failure.round, 11u);
  expect_reports_up_to(recorded, 10);
}

TEST(Failure, OfAMachineThatNobodyWaitsForIsNoticed) {
  // While it computes for the last time its neighbours have all that they need of it.
  RunConfig config = config_of(
      quadratic_on("sim", {{"rounds", "3"}, {"sim.compute", "10ms"}, {"ordering", "cwa"}}));
  config.compute.per_node = {{5, std::chrono::seconds(1)}};
  config.sim.failures = {{5, Time(std::chrono::milliseconds(2900))}};
  GammaTuner gammas;
  const Recorded recorded = record(*make_experiment(config, gammas).value());
  ASSERT_TRUE(recorded.outcome.failure);
  EXPECT_EQ(recorded.outcome.failure->kind, Failure::Kind::kLost);
  EXPECT_EQ(recorded.outcome.failure->node, 5u);
  EXPECT_EQ(recorded.outcome.failure->round, 2u);
  expect_reports_up_to(recorded, 2);
}

TEST(Failure, OfALinkForGoodIsAStallAfterThePatience) {
  RunConfig config = config_of(quadratic_on("sim", {{"sim.compute", "10ms"}, {"patience", "7s"}}));
  config.sim.outages = {{2, 3, Time(std::chrono::milliseconds(205)), std::nullopt}};
  GammaTuner gammas;
  const Recorded recorded = record(*make_experiment(config, gammas).value());
  ASSERT_TRUE(recorded.outcome.failure);
  const Failure& failure = *recorded.outcome.failure;
  EXPECT_EQ(failure.kind, Failure::Kind::kStalled);
  EXPECT_THAT(failure.node, AnyOf(2u, 3u));
  EXPECT_THAT(failure.quantity, AnyOf(Eq("message of node 2"), Eq("message of node 3")));
  EXPECT_THAT(failure.sentence, AllOf(HasSubstr("waited 7.0"), HasSubstr("gave up")));
  // Cut in round 20, whose messages have passed; those of the next one do not.
  EXPECT_EQ(failure.round, 21u);
  expect_reports_up_to(recorded, 21);
}

TEST(Failure, OfConsensusThatNoLongerGetsCloserIsAStall) {
  const Recorded recorded = record({{"task", "consensus"},
                                    {"dim", "100"},
                                    {"algorithm", "q2"},
                                    {"compressor", "qsgd:4,unscaled"},
                                    {"rounds", "400"},
                                    {"tolerance", "0.5,1e-12"}});
  ASSERT_TRUE(recorded.outcome.failure);
  EXPECT_EQ(recorded.outcome.failure->kind, Failure::Kind::kStalled);
  EXPECT_EQ(recorded.outcome.failure->quantity, "consensus error");
  EXPECT_EQ(recorded.outcome.failure->round, 400u);
  ASSERT_EQ(recorded.outcome.tolerances.size(), 2u);
  EXPECT_TRUE(recorded.outcome.tolerances[0].first);
  EXPECT_FALSE(recorded.outcome.tolerances[1].first);
}

TEST(Tolerance, IsReachedInTheFirstRoundWithAnErrorAtMostThat) {
  const Recorded recorded = record({{"task", "consensus"},
                                    {"dim", "20"},
                                    {"algorithm", "exact"},
                                    {"rounds", "60"},
                                    {"report", rounds_up_to(60)},
                                    {"tolerance", "1,1e-2,1e-4"}});
  ASSERT_FALSE(recorded.outcome.failure);
  for (const ToleranceReached& wanted : recorded.outcome.tolerances) {
    const auto first = std::ranges::find_if(recorded.reports, [&](const Measurement& report) {
      return report.error <= wanted.tolerance;
    });
    ASSERT_NE(first, recorded.reports.end());
    ASSERT_TRUE(wanted.first);
    EXPECT_EQ(wanted.first->round, first->round);
    EXPECT_EQ(wanted.first->bytes_sent_per_node, first->bytes_sent_per_node);
  }
  EXPECT_EQ(recorded.outcome.tolerances[0].first->round, 0u);
}

TEST(Failure, OfACheckpointThatCannotBeWrittenNamesTheFile) {
  for (const char* network : kNetworks) {
    const TemporaryFolder folder;
    ASSERT_TRUE(write_file(folder.path("checkpoints"), as_bytes("a file")));
    const auto experiment = experiment_of(quadratic_on(network, {{"checkpoint-every", "10"}}));
    CheckpointStore store(folder.path("checkpoints"), {}, experiment->endpoints());
    const Recorded recorded = record(*experiment, {.report = {}, .checkpoints = &store});
    ASSERT_TRUE(recorded.outcome.failure);
    EXPECT_EQ(recorded.outcome.failure->kind, Failure::Kind::kFile);
    EXPECT_EQ(recorded.outcome.failure->quantity, "checkpoint");
    EXPECT_EQ(recorded.outcome.failure->round, 10u);
    EXPECT_THAT(recorded.outcome.failure->sentence, HasSubstr(folder.path("checkpoints")));
    EXPECT_GE(recorded.reports.size(), 10u);
  }
}

TEST(Failure, OfACheckpointThatIsGoneNamesTheFile) {
  const TemporaryFolder folder;
  const auto experiment = experiment_of(quadratic_on("inproc", {}));
  CheckpointStore store(folder.path(), {}, experiment->endpoints());
  const Recorded recorded =
      record(*experiment, {.report = {}, .checkpoints = &store, .resume_from = 10});
  ASSERT_TRUE(recorded.outcome.failure);
  EXPECT_EQ(recorded.outcome.failure->kind, Failure::Kind::kFile);
  EXPECT_THAT(recorded.outcome.failure->sentence, HasSubstr("node-0000"));
}

TEST(Failure, KindsHaveNames) {
  EXPECT_EQ(name_of(Failure::Kind::kDiverged), "diverged");
  EXPECT_EQ(name_of(Failure::Kind::kNonFinite), "non-finite");
  EXPECT_EQ(name_of(Failure::Kind::kStalled), "stalled");
  EXPECT_EQ(name_of(Failure::Kind::kLost), "lost");
  EXPECT_EQ(name_of(Failure::Kind::kFile), "file");
}

}  // namespace
}  // namespace gossamer::testing
