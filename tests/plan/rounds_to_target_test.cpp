// When a run that was watched for a while gets where it shall.

#include "gossamer/plan/rounds_to_target.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

using Source = RoundsToTarget::Source;

// error = 2 / sqrt(round), at 4, 8, ... 512.
std::vector<ErrorAfter> power_law() {
  std::vector<ErrorAfter> run;
  for (Round round = 4; round <= 512; round *= 2)
    run.push_back({round, 2 / std::sqrt(static_cast<double>(round))});
  return run;
}

TEST(RoundsToTarget, AreBetweenTheTwoPointsAroundIt) {
  const RoundsToTarget found = rounds_to_target(power_law(), 0.2);
  EXPECT_EQ(found.source, Source::kSeen);
  EXPECT_NEAR(found.rounds, 100, 1e-9);
}

TEST(RoundsToTarget, AreThoseOfThePointThatHitsIt) {
  const std::vector<ErrorAfter> run = {{10, 0.5}, {20, 0.25}, {40, 0.125}};
  EXPECT_NEAR(rounds_to_target(run, 0.25).rounds, 20, 1e-9);
  EXPECT_EQ(rounds_to_target(run, 0.5).rounds, 10);
}

TEST(RoundsToTarget, AreAtMostThoseOfTheFirstPoint) {
  const RoundsToTarget found = rounds_to_target(power_law(), 1.5);
  EXPECT_EQ(found.source, Source::kSeen);
  EXPECT_EQ(found.rounds, 4);
}

TEST(RoundsToTarget, BeyondTheRunFollowItsPower) {
  const RoundsToTarget found = rounds_to_target(power_law(), 0.02);
  EXPECT_EQ(found.source, Source::kExtrapolated);
  EXPECT_NEAR(found.rounds, 10'000, 1e-6);
}

// The first half falls steeply, the second slowly: 1/round, then 1/sqrt(round).
TEST(RoundsToTarget, BeyondTheRunFollowItsLastHalf) {
  const std::vector<ErrorAfter> run = {{1, 0.9},   {2, 0.45},  {4, 0.22},
                                       {100, 0.2}, {400, 0.1}, {1600, 0.05}};
  EXPECT_NEAR(rounds_to_target(run, 0.025).rounds, 6400, 1e-6);
}

TEST(RoundsToTarget, BeyondTheRunAreNotBeforeItsEnd) {
  // The line through the last three is at 0.1 in round 400.
  const std::vector<ErrorAfter> run = {{50, 0.9}, {100, 0.4}, {200, 0.1}, {400, 0.2}};
  const RoundsToTarget found = rounds_to_target(run, 0.0999);
  EXPECT_EQ(found.source, Source::kExtrapolated);
  EXPECT_GE(found.rounds, 400 - 1e-9);
}

TEST(RoundsToTarget, AreNoneForARunThatDoesNotImprove) {
  const std::vector<ErrorAfter> flat = {{10, 0.9}, {20, 0.9}, {40, 0.9}};
  const std::vector<ErrorAfter> rising = {{10, 0.5}, {20, 0.6}, {40, 0.7}};
  EXPECT_EQ(rounds_to_target(flat, 0.1).source, Source::kNone);
  EXPECT_EQ(rounds_to_target(rising, 0.1).source, Source::kNone);
}

TEST(RoundsToTarget, AreNoneBeyondTheHorizon) {
  EXPECT_EQ(rounds_to_target(power_law(), 2 / std::sqrt(51'100.0)).source, Source::kExtrapolated);
  EXPECT_EQ(rounds_to_target(power_law(), 2 / std::sqrt(51'300.0)).source, Source::kNone);
}

TEST(RoundsToTarget, AreNoneForARunThatBlewUp) {
  std::vector<ErrorAfter> run = power_law();
  run.back().error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(rounds_to_target(run, 0.2).source, Source::kNone);
}

TEST(RoundsToTarget, AreNoneForTooFewPoints) {
  EXPECT_EQ(rounds_to_target({}, 0.1).source, Source::kNone);
  const std::vector<ErrorAfter> two = {{10, 0.9}, {20, 0.5}};
  EXPECT_EQ(rounds_to_target(two, 0.1).source, Source::kNone);
}

TEST(RoundsToTarget, ARunWithoutErrorHasReachedAnything) {
  const std::vector<ErrorAfter> run = {{10, 0.5}, {20, 0.0}};
  const RoundsToTarget found = rounds_to_target(run, 0.01);
  EXPECT_EQ(found.source, Source::kSeen);
  EXPECT_LE(found.rounds, 20);
}

}  // namespace
}  // namespace gossamer
