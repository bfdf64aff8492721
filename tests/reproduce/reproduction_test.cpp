// An entry's runs, from settings to verdicts.

#include "gossamer/reproduce/reproduction.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/reproduce/entries.hpp"
#include "tests/reproduce/reproduced.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<Round> rounds_of(const RunSeries& series) {
  std::vector<Round> rounds;
  for (const Measurement& measurement : series.measurements)
    rounds.push_back(measurement.round);
  return rounds;
}

TEST(GeometricRounds, AreEvenOnALogarithmicAxis) {
  EXPECT_THAT(geometric_rounds(10, 3), ElementsAre(0, 1, 2, 5, 10));
  EXPECT_THAT(geometric_rounds(1, 30), ElementsAre(0, 1));
  const std::vector<Round> rounds = geometric_rounds(100'000, 30);
  EXPECT_TRUE(std::ranges::is_sorted(rounds));
  EXPECT_EQ(rounds.back(), 100'000u);
  EXPECT_LT(rounds.size(), 152u);
  for (std::size_t i = 30; i < rounds.size(); ++i)
    EXPECT_LT(static_cast<double>(rounds[i]), 1.1 * static_cast<double>(rounds[i - 1]));
}

TEST(Reproduction, FindsTheVeryRoundInWhichConsensusReachesATarget) {
  const Reproduction reproduction = reproduced(entry_of(kHeading + kBody));
  const RunSeries& one = reproduction.runs[0].series;
  const std::vector<Round> rounds = rounds_of(one);
  EXPECT_TRUE(std::ranges::is_sorted(rounds));
  EXPECT_EQ(std::ranges::adjacent_find(rounds), rounds.end());
  ASSERT_EQ(reproduction.verdicts.size(), 1u);
  EXPECT_TRUE(reproduction.verdicts[0].holds);
  EXPECT_TRUE(reproduction.holds());
  // A ring of four with weights of 1/3: every round leaves a third of a difference, a ninth of its
  // square, and 9^-4 is the first below 1e-3.
  const auto reached =
      std::ranges::find_if(one.measurements, [](const Measurement& m) { return m.error <= 1e-3; });
  ASSERT_NE(reached, one.measurements.end());
  EXPECT_EQ(reached->round, 4u);
}

TEST(Reproduction, WatchesTheRoundsThatClaimsName) {
  Entry entry = entry_of(kHeading + kBody + kClaim +
                         "measure = \"value\"\nmetric = \"error\"\nat = 29\nat_most = 1\n");
  entry.runs[0].config.report = {7, 3, 7};
  TaskKeeper tasks;
  const auto experiment = prepare(entry, entry.runs[0], tasks);
  ASSERT_TRUE(experiment);
  EXPECT_THAT(experiment.value()->config.report, ElementsAre(3, 7, 29, 30));
  EXPECT_THAT(experiment.value()->config.tolerances, ElementsAre(1e-3));
  const auto other = prepare(entry, entry.runs[1], tasks);
  EXPECT_THAT(other.value()->config.report, Contains(0));
  EXPECT_THAT(other.value()->config.report, Contains(30));
}

TEST(Reproduction, TakesDivergenceForAResult) {
  Entry entry = entry_of(kHeading + kBody + kClaim + "measure = \"diverges\"\n");
  for (PlannedRun& run : entry.runs) {
    run.config.gamma = "5";
    run.config.rounds = 1000;
  }
  const Reproduction reproduction = reproduced(entry);
  const PerformedRun& run = reproduction.runs[0];
  ASSERT_TRUE(run.series.divergence);
  EXPECT_FALSE(run.failure);
  EXPECT_EQ(run.series.measurements.back().round, run.series.divergence->round);
  EXPECT_FALSE(reproduction.verdicts[0].holds) << "of rounds to a target";
  EXPECT_TRUE(reproduction.verdicts[1].holds) << "of divergence";
  EXPECT_FALSE(reproduction.holds());
  EXPECT_EQ(reproduction.standing(0), Standing::kFails);
  EXPECT_THAT(run.summary, HasSubstr("\"outcome\":\"diverged\""));
}

TEST(Reproduction, TakesConsensusThatStallsForOneThatIsNotThere) {
  Entry entry = entry_of(kHeading + kBody);
  entry.claims[0].over = "";
  entry.claims[0].target = 1e-12;
  entry.runs[0].config.algorithm = "q2";
  entry.runs[0].config.compressor = "qsgd:s=3,unscaled";
  entry.runs[0].config.rounds = 200;
  const Reproduction reproduction = reproduced(entry);
  EXPECT_FALSE(reproduction.runs[0].failure);
  EXPECT_FALSE(reproduction.runs[0].series.divergence);
  EXPECT_EQ(reproduction.verdicts[0].text, "> 200 rounds");
}

TEST(Reproduction, CarriesWhatAPageShowsOfARun) {
  const Reproduction reproduction = reproduced(entry_of(kHeading + kBody));
  const PerformedRun& run = reproduction.runs[1];
  EXPECT_EQ(run.series.name, "two");
  EXPECT_EQ(run.series.measurements.front().round, 0u);
  EXPECT_EQ(run.series.measurements.back().round, 30u);
  EXPECT_THAT(run.config, HasSubstr("gamma = \"0.5\"\n"));
  EXPECT_THAT(run.summary, HasSubstr("\"outcome\":\"finished\""));
}

TEST(Reproduction, HasOneTaskForRunsThatLearnTheSame) {
  Entry entry = entry_of(kHeading + kBody);
  for (PlannedRun& run : entry.runs) {
    run.config.task = "quadratic";
    run.config.algorithm = "dpsgd";
  }
  TaskKeeper tasks;
  const auto first = prepare(entry, entry.runs[0], tasks);
  const auto second = prepare(entry, entry.runs[1], tasks);
  entry.runs[1].config.seed = 5;
  const auto other = prepare(entry, entry.runs[1], tasks);
  ASSERT_TRUE(first && second && other);
  EXPECT_EQ(first.value()->task, second.value()->task);
  EXPECT_NE(first.value()->task, other.value()->task);
}

TEST(Reproduction, NamesTheRunThatCannotBegin) {
  Entry entry = entry_of(kHeading + kBody);
  entry.runs[1].config.topology = "torus:3x3";
  TaskKeeper tasks;
  const auto experiment = prepare(entry, entry.runs[1], tasks);
  ASSERT_FALSE(experiment);
  EXPECT_THAT(experiment.error().message, StartsWith("mine: run 'two': "));
}

}  // namespace
}  // namespace gossamer::testing
