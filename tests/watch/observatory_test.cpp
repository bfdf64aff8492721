#include "gossamer/watch/observatory.hpp"

#include <vector>

#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;

class ObservatoryTest : public ::testing::Test {
 protected:
  explicit ObservatoryTest(const char* algorithm = "dpsgd", const char* network = "sim")
      : experiment(experiment_of({{"task", "quadratic"},
                                  {"dim", "5"},
                                  {"nodes", "3"},
                                  {"algorithm", algorithm},
                                  {"network", network}})) {}

  void watch(std::vector<Round> rounds) {
    observatory.emplace(
        *experiment, std::move(rounds),
        [this](const Measurement& measurement, const SeenModels&) { seen.push_back(measurement); });
  }

  void leave(NodeId node, Round completed, std::uint64_t bytes = 0, int at_second = 0) {
    const FloatBuffer x(5);
    observatory->leave({node, completed, bytes, bytes / 2, Time(std::chrono::seconds(at_second))},
                       x.view(), CVec(nullptr, 0));
  }

  std::vector<Round> rounds_seen() const {
    std::vector<Round> rounds;
    for (const Measurement& measurement : seen)
      rounds.push_back(measurement.round);
    return rounds;
  }

  std::unique_ptr<Experiment> experiment;
  std::optional<Observatory> observatory;
  std::vector<Measurement> seen;
};

TEST_F(ObservatoryTest, WatchesTheRoundsThatItIsTold) {
  watch({30, 10, 10});
  EXPECT_TRUE(observatory->watches(10));
  EXPECT_TRUE(observatory->watches(30));
  EXPECT_FALSE(observatory->watches(0));
  EXPECT_FALSE(observatory->watches(20));
}

TEST_F(ObservatoryTest, WatchesEveryRoundIfToldNone) {
  watch({});
  EXPECT_TRUE(observatory->watches(0));
  EXPECT_TRUE(observatory->watches(12345));
}

TEST_F(ObservatoryTest, MeasuresARoundWhenTheLastNodeHasCome) {
  watch({1});
  leave(2, 1);
  leave(0, 1);
  EXPECT_TRUE(seen.empty());
  leave(1, 1);
  EXPECT_THAT(rounds_seen(), ElementsAre(1));
}

TEST_F(ObservatoryTest, KeepsRoundsApartWhenANodeIsAhead) {
  watch({});
  for (const Round round : {1, 2, 3})
    leave(0, round);
  for (const Round round : {1, 2})
    leave(1, round);
  for (const Round round : {1, 2, 3})
    leave(2, round);
  EXPECT_THAT(rounds_seen(), ElementsAre(1, 2));
  leave(1, 3);
  EXPECT_THAT(rounds_seen(), ElementsAre(1, 2, 3));
}

TEST_F(ObservatoryTest, ReportsTheMeanOfTheBytesAndTheTimeOfTheSlowest) {
  watch({1});
  leave(0, 1, 100, 7);
  leave(1, 1, 200, 9);
  leave(2, 1, 600, 8);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].bytes_sent_per_node, 300.0);
  EXPECT_EQ(seen[0].payload_bytes_per_node, 150.0);
  EXPECT_EQ(seen[0].seconds, 9.0);
}

TimeSpent computed_for(int seconds) {
  TimeSpent spent;
  spent.by_phase[0] = std::chrono::seconds(seconds);
  return spent;
}

TEST_F(ObservatoryTest, ReportsTheMeanOfTheTimesSpent) {
  watch({1});
  const FloatBuffer x(5);
  for (const NodeId node : {0, 1, 2})
    observatory->leave({node, 1, 0, 0, Time{}, Time{}, computed_for(static_cast<int>(node) + 1)},
                       x.view(), CVec(nullptr, 0));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].spent, computed_for(2));
}

class CoordinatedObservatoryTest : public ObservatoryTest {
 protected:
  CoordinatedObservatoryTest() : ObservatoryTest("qsparse-async") {}
};

TEST_F(CoordinatedObservatoryTest, CountsTheCoordinatorsBytesAndNotItsModel) {
  watch({1});
  const FloatBuffer x(5);
  FloatBuffer far(5);
  far.view() = 1e6f;
  for (const NodeId worker : {0, 1, 2})
    leave(worker, 1, 100);
  EXPECT_TRUE(seen.empty());
  observatory->leave({3, 1, 600, 300, Time{}}, far.view(), CVec(nullptr, 0));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].consensus_distance, 0.0);
  EXPECT_EQ(seen[0].bytes_sent_per_node, 300.0) << "of the three workers";
}

TEST_F(CoordinatedObservatoryTest, DoesNotCountTheCoordinatorsTime) {
  watch({1});
  const FloatBuffer x(5);
  for (const NodeId worker : {0, 1, 2})
    observatory->leave({worker, 1, 0, 0, Time{}, Time{}, computed_for(2)}, x.view(),
                       CVec(nullptr, 0));
  observatory->leave({3, 1, 0, 0, Time{}, Time{}, computed_for(1000)}, x.view(), CVec(nullptr, 0));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].spent, computed_for(2));
}

TEST(DefaultReports, AreOneTwoFiveAndSoOnAndTheLast) {
  const auto reports = [](Round rounds) {
    return default_reports(
        *experiment_of({{"task", "quadratic"}, {"rounds", fmt::format("{}", rounds)}}));
  };
  EXPECT_THAT(reports(1), ElementsAre(1));
  EXPECT_THAT(reports(5), ElementsAre(1, 2, 5));
  EXPECT_THAT(reports(123), ElementsAre(1, 2, 5, 10, 20, 50, 100, 123));
  EXPECT_EQ(reports(1'000'000'000'000).size(), 37u);
}

TEST(Reports, ComeInTheOrderOfRoundsWhateverTheOrderAsked) {
  for (const char* network : {"inproc", "sim"}) {
    const Recorded recorded = record({{"task", "quadratic"},
                                      {"dim", "5"},
                                      {"algorithm", "dpsgd"},
                                      {"rounds", "9"},
                                      {"report", "7,0,3,3,50"},
                                      {"network", network}});
    std::vector<Round> rounds;
    for (const Measurement& report : recorded.reports)
      rounds.push_back(report.round);
    EXPECT_THAT(rounds, ElementsAre(0, 3, 7)) << network;
    EXPECT_EQ(recorded.reports.front().bytes_sent_per_node, 0.0);
    EXPECT_EQ(recorded.outcome.last->round, 9u) << "the summary has the last round";
  }
}

TEST(Reports, OfTheStartAreThoseOfTheFirstModels) {
  const Recorded recorded = record({{"task", "consensus"},
                                    {"dim", "5"},
                                    {"algorithm", "exact"},
                                    {"rounds", "2"},
                                    {"report", "0"}});
  ASSERT_EQ(recorded.reports.size(), 1u);
  EXPECT_EQ(recorded.reports[0].error, 1.0);
}

}  // namespace
}  // namespace gossamer::testing
