// Whole runs of real members on machines that fail.
#include "gossamer/hunt/hunted_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/event_json.hpp"
#include "gossamer/hunt/random_faults.hpp"

namespace gossamer {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

Hunt hunt_with(const Method& method, std::string_view faults = "") {
  Hunt hunt = read_hunt(faults).value();
  hunt.algorithm = method.algorithm;
  hunt.compressor = method.compressor;
  return hunt;
}

std::vector<std::string> violations_of(const Hunt& hunt) {
  const Result<HuntReport> report = run_hunt(hunt);
  if (!report) return {report.error().message};
  std::vector<std::string> sentences;
  for (const Violation& violation : report.value().violations)
    sentences.push_back(violation.rule + ": " + violation.sentence);
  return sentences;
}

void expect_that_all_survive(std::string_view faults) {
  for (const Method& method : methods_that_lose())
    EXPECT_THAT(violations_of(hunt_with(method, faults)), IsEmpty()) << method.algorithm;
}

std::vector<std::string> story_of(const Hunt& hunt) {
  std::vector<std::string> lines;
  const HuntReport report = run_hunt(hunt).value();
  for (const Event& event : report.story) {
    // What a run tells of real time is not of the virtual clock.
    if (event.kind() != EventKind::kBegan && event.kind() != EventKind::kCheckpointSaved)
      lines.push_back(to_json(event));
  }
  return lines;
}

TEST(HuntedRun, WithoutFaultsAllEndWithOneMean) {
  expect_that_all_survive("");
}

TEST(HuntedRun, OneThatIsKilledComesBackWithItsCheckpoint) {
  expect_that_all_survive("5 kill 2\n7 restart 2\n");
}

TEST(HuntedRun, OneThatWasKilledWhileItSavedComesBackWithTheCheckpointBefore) {
  expect_that_all_survive("5 kill 2\n7 restart-torn 2\n");
}

TEST(HuntedRun, OneThatIsKilledComesBackEmptyHanded) {
  expect_that_all_survive("5 kill 2\n9 restart-empty-handed 2\n");
}

TEST(HuntedRun, OneThatIsStoppedComesBack) {
  expect_that_all_survive("5 stop 2\n7 restart 2\n");
}

TEST(HuntedRun, AShortPauseAndASlowLinkHarmNobody) {
  expect_that_all_survive("3 slow 1 2\n5 pause 4\n5.5 resume 4\n8 fast 1 2\n");
}

TEST(HuntedRun, ACutHarmsNobody) {
  expect_that_all_survive("5 cut 2 3\n5 cut 3 2\n8 heal 2 3\n8 heal 3 2\n");
}

TEST(HuntedRun, WhatIsMendedStartsAgain) {
  expect_that_all_survive("mended 9\n5 kill 2\n");
}

// The control: where most are killed, the rest cannot go on, and the hunt says so.
TEST(HuntedRun, SaysWhoDoesNotComeToItsEnd) {
  const Hunt hunt =
      hunt_with(methods_that_lose().front(), "5 kill 1\n5 kill 2\n5 kill 3\n5 kill 4\n");
  EXPECT_THAT(violations_of(hunt), Not(IsEmpty()));
}

TEST(HuntedRun, IsTheSameFromTheSameSeed) {
  Hunt hunt = hunt_with(methods_that_lose().front(), "5 kill 2\n7 restart 2\n");
  const std::vector<std::string> story = story_of(hunt);
  const std::uint64_t digest = run_hunt(hunt).value().digest;
  EXPECT_THAT(story, Not(IsEmpty()));
  EXPECT_EQ(story_of(hunt), story);
  EXPECT_EQ(run_hunt(hunt).value().digest, digest);
  hunt.seed = 1;
  EXPECT_NE(story_of(hunt), story);
  EXPECT_NE(run_hunt(hunt).value().digest, digest);
}

}  // namespace
}  // namespace gossamer
