// From what was measured to whether a claim holds.

#include "gossamer/reproduce/claims.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/contract.hpp"

namespace gossamer::testing {
namespace {

// A run of consensus whose error is 10^-k after k rounds, `per_round` payload bytes and 10 bytes of
// headers each, for so many rounds.
RunSeries falling(std::string name, Round rounds, double per_round = 100.0) {
  RunSeries series{std::move(name), {}, std::nullopt};
  for (Round round = 0; round <= rounds; ++round) {
    Measurement measurement;
    measurement.round = round;
    measurement.error = std::pow(10.0, -static_cast<double>(round));
    measurement.payload_bytes_per_node = per_round * static_cast<double>(round);
    measurement.bytes_sent_per_node = (per_round + 10.0) * static_cast<double>(round);
    measurement.seconds = 0.5 * static_cast<double>(round);
    series.measurements.push_back(measurement);
  }
  return series;
}

RunSeries diverging(std::string name, Round after) {
  RunSeries series{std::move(name), {}, std::nullopt};
  Measurement first;
  first.error = 1.0;
  series.measurements.push_back(first);
  series.divergence = Failure{};
  series.divergence->round = after;
  return series;
}

Claim claim_about(std::string run, Measure measure) {
  Claim claim;
  claim.run = std::move(run);
  claim.measure = measure;
  claim.metric = "error";
  claim.target = 1e-3;
  return claim;
}

Claim bounded(Claim claim, std::optional<double> at_least, std::optional<double> at_most) {
  claim.at_least = at_least;
  claim.at_most = at_most;
  return claim;
}

TEST(Claims, CountWhatIsSpentUntilTheTarget) {
  const std::vector<RunSeries> runs = {falling("a", 5)};
  const auto measured = [&](Measure measure) {
    return judge(bounded(claim_about("a", measure), 0.0, std::nullopt), runs).measured;
  };
  EXPECT_EQ(measured(Measure::kRoundsTo), 3.0);
  EXPECT_EQ(measured(Measure::kBytesTo), 330.0);
  EXPECT_EQ(measured(Measure::kBitsTo), 2400.0);
  EXPECT_EQ(measured(Measure::kSecondsTo), 1.5);
}

TEST(Claims, HoldWithinTheirBounds) {
  const std::vector<RunSeries> runs = {falling("a", 5)};
  const auto holds = [&](std::optional<double> at_least, std::optional<double> at_most) {
    return judge(bounded(claim_about("a", Measure::kRoundsTo), at_least, at_most), runs).holds;
  };
  EXPECT_TRUE(holds(3, std::nullopt));
  EXPECT_TRUE(holds(std::nullopt, 3));
  EXPECT_TRUE(holds(2, 4));
  EXPECT_FALSE(holds(4, std::nullopt));
  EXPECT_FALSE(holds(std::nullopt, 2));
  EXPECT_FALSE(holds(4, 5));
}

TEST(Claims, DivideOneRunByAnother) {
  const std::vector<RunSeries> runs = {falling("small", 5, 10), falling("large", 5, 800)};
  Claim over = bounded(claim_about("small", Measure::kBitsTo), std::nullopt, 0.0125);
  over.over = "large";
  EXPECT_EQ(judge(over, runs).text, "0.0125x the bits");
  EXPECT_TRUE(judge(over, runs).holds);
  Claim under = bounded(claim_about("small", Measure::kBitsTo), 80, std::nullopt);
  under.under = "large";
  EXPECT_EQ(judge(under, runs).text, "80.0x fewer bits");
  EXPECT_TRUE(judge(under, runs).holds);
  under.at_least = 81;
  EXPECT_FALSE(judge(under, runs).holds);
}

TEST(Claims, OfARunThatNeverGetsThereAreBounds) {
  const std::vector<RunSeries> runs = {falling("short", 2), falling("long", 10)};
  Claim alone = bounded(claim_about("short", Measure::kRoundsTo), 2, std::nullopt);
  EXPECT_EQ(judge(alone, runs).text, "> 2 rounds");
  EXPECT_TRUE(judge(alone, runs).holds);
  alone = bounded(alone, std::nullopt, 1000);
  EXPECT_FALSE(judge(alone, runs).holds) << "it may take any number of rounds";

  Claim slower = bounded(claim_about("short", Measure::kRoundsTo), 0.6, std::nullopt);
  slower.over = "long";
  EXPECT_EQ(judge(slower, runs).text, "> 0.667x the rounds");
  EXPECT_TRUE(judge(slower, runs).holds);
  Claim faster = bounded(claim_about("long", Measure::kRoundsTo), std::nullopt, 1.6);
  faster.over = "short";
  EXPECT_EQ(judge(faster, runs).text, "< 1.50x the rounds");
  EXPECT_TRUE(judge(faster, runs).holds);
}

TEST(Claims, OfTwoRunsThatNeverGetThereDoNotHold) {
  const std::vector<RunSeries> runs = {falling("a", 2), falling("b", 1)};
  Claim claim = bounded(claim_about("a", Measure::kRoundsTo), 0, std::nullopt);
  claim.over = "b";
  const Verdict verdict = judge(claim, runs);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.measured, std::nullopt);
  EXPECT_EQ(verdict.text, "neither reaches 0.001");
}

TEST(Claims, OfARunThatDivergesHaveNoNumber) {
  const std::vector<RunSeries> runs = {diverging("wild", 42), falling("tame", 5)};
  for (const Measure measure : {Measure::kRoundsTo, Measure::kBitsTo, Measure::kValue}) {
    const Verdict verdict = judge(bounded(claim_about("wild", measure), 0, std::nullopt), runs);
    EXPECT_FALSE(verdict.holds);
    EXPECT_EQ(verdict.measured, std::nullopt);
    EXPECT_EQ(verdict.text, "'wild' diverged after 42 rounds");
  }
  Claim ratio = bounded(claim_about("tame", Measure::kRoundsTo), 0, std::nullopt);
  ratio.over = "wild";
  EXPECT_FALSE(judge(ratio, runs).holds);
  ratio.over = "";
  ratio.under = "wild";
  EXPECT_EQ(judge(ratio, runs).text, "'wild' diverged after 42 rounds");
}

TEST(Claims, OfARunThatDivergesAfterItsTargetHold) {
  std::vector<RunSeries> runs = {falling("late", 5)};
  runs[0].divergence = Failure{};
  EXPECT_TRUE(judge(bounded(claim_about("late", Measure::kRoundsTo), 3, 3), runs).holds);
}

TEST(Claims, AboutDivergenceAreMetOrNot) {
  const std::vector<RunSeries> runs = {diverging("wild", 42), falling("tame", 5)};
  const auto verdict = [&](const char* run, bool expected) {
    Claim claim = claim_about(run, Measure::kDiverges);
    claim.expected = expected;
    return judge(claim, runs);
  };
  EXPECT_TRUE(verdict("wild", true).holds);
  EXPECT_FALSE(verdict("wild", false).holds);
  EXPECT_FALSE(verdict("tame", true).holds);
  EXPECT_TRUE(verdict("tame", false).holds);
  EXPECT_EQ(verdict("wild", true).text, "diverges after 42 rounds");
  EXPECT_EQ(verdict("wild", true).measured, 42.0);
  EXPECT_EQ(verdict("tame", true).text, "does not diverge");
}

TEST(Claims, OfValuesAreAboutTheLastRoundOrTheOneTheyName) {
  const std::vector<RunSeries> runs = {falling("a", 5)};
  Claim claim = bounded(claim_about("a", Measure::kValue), std::nullopt, 1e-5);
  EXPECT_EQ(judge(claim, runs).measured, 1e-5);
  EXPECT_TRUE(judge(claim, runs).holds);
  claim.at = 2;
  EXPECT_EQ(judge(claim, runs).text, "error 0.0100");
  EXPECT_FALSE(judge(claim, runs).holds);
  claim.at = 7;
  EXPECT_EQ(judge(claim, runs).text, "'a' was not measured there");
  EXPECT_FALSE(judge(claim, runs).holds);
}

TEST(Claims, OfWhatWasNotMeasuredDoNotHold) {
  RunSeries run = falling("a", 5);
  Claim claim = bounded(claim_about("a", Measure::kValue), 0, std::nullopt);
  claim.metric = "suboptimality";
  EXPECT_EQ(judge(claim, {{run}}).text, "'a' has no suboptimality");
  run.measurements.back().suboptimality = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(judge(claim, {{run}}).text, "the suboptimality of 'a' is no number");
  EXPECT_FALSE(judge(claim, {{run}}).holds);
  run.measurements.clear();
  claim.measure = Measure::kRoundsTo;
  EXPECT_EQ(judge(claim, {{run}}).text, "'a' has no reports");
}

TEST(Claims, DivideNothingByZero) {
  std::vector<RunSeries> runs = {falling("a", 5), falling("b", 5)};
  Claim claim = bounded(claim_about("a", Measure::kRoundsTo), 0, std::nullopt);
  claim.over = "b";
  claim.target = 1.0;
  EXPECT_EQ(judge(claim, runs).text, "'b' has 0, which divides nothing");
  EXPECT_FALSE(judge(claim, runs).holds);
  claim.target = 0.0;
  runs[0].measurements.back().error = 0.0;
  runs[1].measurements.back().error = 0.0;
  EXPECT_EQ(judge(claim, runs).text, "1.00x the rounds") << "an error of 0 is a target like others";
}

TEST(Claims, ReachAnAccuracyFromBelow) {
  RunSeries run{"a", {}, std::nullopt};
  for (const Round round : {1, 2, 3}) {
    Measurement measurement;
    measurement.round = round;
    measurement.tested = Tested{};
    measurement.tested->mean_model.accuracy = 0.25 * static_cast<double>(round);
    measurement.tested->accuracy_nodes_mean = measurement.tested->accuracy_nodes_worst = 0.0;
    run.measurements.push_back(measurement);
  }
  Claim claim = bounded(claim_about("a", Measure::kRoundsTo), 0, std::nullopt);
  claim.metric = "test_accuracy_mean_model";
  claim.target = 0.5;
  EXPECT_EQ(judge(claim, {{run}}).measured, 2.0);
}

TEST(Claims, AreAboutRunsThatWereRun) {
  const std::vector<RunSeries> runs = {falling("a", 5)};
  EXPECT_THROW((void)judge(claim_about("b", Measure::kRoundsTo), runs), ContractViolation);
}

TEST(Claims, StandAsThePaperSaysOrOtherwiseOrNotAtAll) {
  Claim claim;
  EXPECT_EQ(standing_of(claim, {1.0, "1", true}), Standing::kHolds);
  EXPECT_EQ(standing_of(claim, {1.0, "1", false}), Standing::kFails);
  claim.differs = true;
  EXPECT_EQ(standing_of(claim, {1.0, "1", true}), Standing::kDiffers);
  EXPECT_EQ(standing_of(claim, {1.0, "1", false}), Standing::kFails);
  EXPECT_EQ(name_of(Standing::kHolds), "holds");
  EXPECT_EQ(name_of(Standing::kDiffers), "differs");
  EXPECT_EQ(name_of(Standing::kFails), "does not hold");
}

}  // namespace
}  // namespace gossamer::testing
