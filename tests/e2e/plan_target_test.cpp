// `gossamer plan` with a loss to reach: short runs say how many rounds each method needs, and the
// time for them ranks the methods.

#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// A quadratic, which is learned at once.
const Arguments kAtOnce = {"plan",
                           "--task",
                           "quadratic",
                           "--lr",
                           "0.1",
                           "--nodes",
                           "4",
                           "--methods",
                           "allreduce,choco/sign,local-sgd*4",
                           "--topologies",
                           "ring",
                           "--pilot-rounds",
                           "60"};

// Rounds of allreduce are six messages long, one after the other, those of choco one.
std::vector<nlohmann::json> race(const Arguments& more) {
  const ProgramResult result = run_program(
      Arguments{"plan", "--task", "quadratic", "--nodes", "4", "--compute", "1ms", "--latency",
                "10ms", "--methods", "allreduce,choco/sign@0.4", "--topologies", "ring", "--json"} +
      more);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json_lines(result.out);
}

double number(const nlohmann::json& row, const char* name) {
  return row.at(name).get<double>();
}

// Of the pilots' errors, that before the target and that at it or below it: nothing else was
// needed.
void expect_between_neighbours(const nlohmann::json& row, double target) {
  const nlohmann::json& run = row.at("pilot").at("run");
  for (std::size_t i = 1; i < run.size(); ++i) {
    if (number(run[i], "error") > target) continue;
    EXPECT_GT(number(run[i - 1], "error"), target);
    EXPECT_GE(number(row, "rounds_to_target"), number(run[i - 1], "round"));
    EXPECT_LE(number(row, "rounds_to_target"), number(run[i], "round"));
    return;
  }
  ADD_FAILURE() << "the pilot did not get there: " << row.dump();
}

TEST(PlanTarget, RanksByTheTimeToIt) {
  const auto rows = race({"--lr", "0.01", "--pilot-rounds", "60", "--target-loss", "225"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("method"), "choco/sign@0.4");
  EXPECT_EQ(rows[0].at("is_recommended"), true);
  EXPECT_LT(number(rows[0], "seconds_to_target"), number(rows[1], "seconds_to_target"));
  EXPECT_GT(number(rows[0], "rounds_to_target"), number(rows[1], "rounds_to_target"))
      << "short rounds, though more of them";
  for (const nlohmann::json& row : rows) {
    EXPECT_EQ(row.at("is_extrapolated"), false);
    EXPECT_DOUBLE_EQ(number(row, "seconds_to_target"),
                     number(row, "rounds_to_target") * number(row, "seconds_per_round"));
    EXPECT_EQ(row.at("pilot").at("nodes"), 4);
    expect_between_neighbours(row, 225);
  }
}

// With a step of this size compression leaves a distance to the optimum for good.
TEST(PlanTarget, PrefersWhoGetsThereToWhoHasShortRounds) {
  const auto rows = race({"--lr", "0.1", "--pilot-rounds", "60", "--target-loss", "219"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("method"), "allreduce");
  EXPECT_EQ(rows[0].at("is_recommended"), true);
  EXPECT_GT(number(rows[0], "seconds_per_round"), number(rows[1], "seconds_per_round"));
  EXPECT_EQ(rows[1].at("seconds_to_target"), nullptr);
}

TEST(PlanTarget, BeyondThePilotIsNearWhereALongerOneSeesIt) {
  const Arguments target = {"--lr", "0.01", "--target-loss", "225"};
  const auto guessed = race(target + Arguments{"--pilot-rounds", "12"});
  const auto seen = race(target + Arguments{"--pilot-rounds", "60"});
  ASSERT_EQ(guessed.size(), 2u);
  ASSERT_EQ(seen.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(guessed[i].at("method"), seen[i].at("method"));
    EXPECT_EQ(guessed[i].at("is_extrapolated"), true);
    EXPECT_GT(number(guessed[i], "rounds_to_target"), 12);
    const double ratio =
        number(guessed[i], "rounds_to_target") / number(seen[i], "rounds_to_target");
    EXPECT_GT(ratio, 0.7);
    EXPECT_LT(ratio, 1.4);
  }
}

TEST(PlanTarget, ThatAnyModelReachesTakesTheFirstRoundThatIsLookedAt) {
  const ProgramResult result = run_program(kAtOnce + Arguments{"--target-loss", "1000", "--json"});
  const std::vector<nlohmann::json> rows = json_lines(result.out);
  ASSERT_EQ(rows.size(), 3u) << result.out << result.err;
  for (const nlohmann::json& row : rows)
    EXPECT_EQ(row.at("rounds_to_target"), 2);
}

TEST(PlanTarget, IsInTheTableAndTheVerdict) {
  const ProgramResult result = run_program(kAtOnce + Arguments{"--target-loss", "1000"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\n3 short runs of 60 rounds\n"));
  EXPECT_THAT(result.out, ContainsRegex("method +graph +time to a loss of 1000 +rounds +s/round"));
  EXPECT_THAT(result.out, HasSubstr(" gets to a loss of 1000 in "));
  EXPECT_THAT(result.out, ContainsRegex("\n  gossamer train --task quadratic --lr 0.1 .*\n$"));
}

TEST(PlanTarget, ThatNobodyReachesIsSaidToBe) {
  const ProgramResult result =
      run_program({"plan", "--task", "quadratic", "--lr", "1000", "--nodes", "4", "--methods",
                   "allreduce", "--target-loss", "1e-9", "--pilot-rounds", "20"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("never"));
  EXPECT_THAT(result.out, HasSubstr("\nNone of the short runs came near a loss of 1e-09: "));
  EXPECT_THAT(result.out, Not(HasSubstr("gossamer train")));
}

}  // namespace
}  // namespace gossamer::testing
