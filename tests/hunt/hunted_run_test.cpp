// Whole runs of real members on machines that fail.
#include "gossamer/hunt/hunted_run.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/event_json.hpp"
#include "gossamer/hunt/random_faults.hpp"

namespace gossamer {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::array kAlgorithms = {"dpsgd",        "choco",       "dcd",
                                    "ecd:replicas", "deepsqueeze", "powergossip"};

Hunt hunt_with(const std::string& algorithm) {
  Hunt hunt;
  hunt.algorithm = algorithm;
  hunt.compressor = algorithm == "dpsgd" || algorithm == "powergossip" ? "identity" : "minmax:8";
  hunt.rounds = 200;
  return hunt;
}

Time at(double time) {
  return Time{} + from_seconds(time);
}

std::vector<std::string> violations_of(const Hunt& hunt) {
  const Result<HuntReport> report = run_hunt(hunt);
  if (!report) return {report.error().message};
  return report.value().violations;
}

std::vector<std::string> story_of(const Hunt& hunt) {
  std::vector<std::string> lines;
  const HuntReport report = run_hunt(hunt).value();
  for (const Event& event : report.story) {
    // What a run tells of real time is not of the virtual clock.
    if (event.kind() == EventKind::kBegan || event.kind() == EventKind::kCheckpointSaved ||
        event.kind() == EventKind::kMeasured)
      continue;
    lines.push_back(to_json(event));
  }
  return lines;
}

TEST(HuntedRun, WithoutFaultsAllEndWithOneMean) {
  for (const std::string algorithm : kAlgorithms)
    EXPECT_THAT(violations_of(hunt_with(algorithm)), IsEmpty()) << algorithm;
}

TEST(HuntedRun, OneThatIsKilledComesBackWithItsCheckpoint) {
  for (const std::string algorithm : kAlgorithms) {
    Hunt hunt = hunt_with(algorithm);
    hunt.faults = {{Fault::Kind::kKill, at(5), 2, 0}, {Fault::Kind::kRestart, at(7), 2, 0}};
    EXPECT_THAT(violations_of(hunt), IsEmpty()) << algorithm;
  }
}

TEST(HuntedRun, OneThatIsKilledComesBackEmptyHanded) {
  for (const std::string algorithm : kAlgorithms) {
    Hunt hunt = hunt_with(algorithm);
    hunt.faults = {{Fault::Kind::kKill, at(5), 2, 0},
                   {Fault::Kind::kRestartEmptyHanded, at(12), 2, 0}};
    EXPECT_THAT(violations_of(hunt), IsEmpty()) << algorithm;
  }
}

// The control: where most are killed, the rest cannot go on, and the hunt says so.
TEST(HuntedRun, SaysWhoDoesNotComeToItsEnd) {
  Hunt hunt = hunt_with("choco");
  for (const NodeId node : {1, 2, 3, 4})
    hunt.faults.push_back({Fault::Kind::kKill, at(5), node, 0});
  EXPECT_THAT(violations_of(hunt), Not(IsEmpty()));
}

TEST(HuntedRun, IsTheSameFromTheSameSeed) {
  Hunt hunt = hunt_with("choco");
  hunt.faults = {{Fault::Kind::kKill, at(5), 2, 0}, {Fault::Kind::kRestart, at(7), 2, 0}};
  const std::vector<std::string> story = story_of(hunt);
  EXPECT_THAT(story, Not(IsEmpty()));
  EXPECT_EQ(story_of(hunt), story);
  hunt.seed = 1;
  EXPECT_NE(story_of(hunt), story);
}

// What hunts have found, each by its seed.

// A node took an edge for live, by hearsay, that it had given up itself, and waited for its other
// end without waiting: the mean of all models came to no end.
TEST(HuntFound, AMeanThatWaitsForAnEdgeThatIsGone) {
  for (const std::uint64_t seed : {8, 12, 13, 14, 22}) {
    const Result<HuntReport> report = run_hunt(random_hunt(seed, "choco", "sign"));
    ASSERT_TRUE(report);
    EXPECT_NE(report.value().end, FaultWorld::End::kSpins) << "seed " << seed;
  }
}

TEST(RandomHunt, IsAFunctionOfItsSeed) {
  EXPECT_EQ(random_hunt(3, "choco", "sign").faults, random_hunt(3, "choco", "sign").faults);
  EXPECT_NE(random_hunt(3, "choco", "sign").faults, random_hunt(4, "choco", "sign").faults);
}

}  // namespace
}  // namespace gossamer
