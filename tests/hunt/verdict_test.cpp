// Who has to come to the end of a run, and who need not.
#include "gossamer/hunt/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Time at(double time) {
  return Time{} + from_seconds(time);
}

Life finished(NodeId node, double began = 0, float mean = 1.0f) {
  Life life;
  life.node = node;
  life.began_at = at(began);
  life.has_ended = true;
  life.ended_at = at(100);
  life.round = 200;
  life.progress_at = at(100);
  life.model = {mean};
  return life;
}

Life failed(NodeId node, double began = 0) {
  Life life = finished(node, began);
  life.model.clear();
  life.round = 30;
  life.failure = Failure{Failure::Kind::kLost, node, 30, "neighbour", "too few are left"};
  return life;
}

std::vector<std::string> rules_broken(const std::vector<Life>& lives, const Hunt& hunt = {}) {
  std::vector<std::string> rules;
  for (const Violation& violation : judge_lives(lives, hunt))
    rules.push_back(violation.rule);
  return rules;
}

TEST(Verdict, NothingIsWrongWhereAllFinish) {
  EXPECT_THAT(rules_broken({finished(0), finished(1), finished(1, 7)}), IsEmpty());
}

TEST(Verdict, NamesWhoEnds) {
  const auto violations = judge_lives(std::vector{finished(0), failed(1)}, {});
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].rule, "no live member ends");
  EXPECT_THAT(violations[0].sentence, HasSubstr("node 1, which began at 0.000 s"));
  EXPECT_THAT(violations[0].sentence, HasSubstr("too few are left"));
}

TEST(Verdict, WhoWasKilledOrStoppedNeedNotFinish) {
  Life killed = failed(1);
  killed.was_killed = true;
  Life stopped = failed(2);
  stopped.was_stopped = true;
  Life other = failed(3);
  other.began = Fault::Kind::kRestartOtherSettings;
  EXPECT_THAT(rules_broken({finished(0), killed, stopped, other}), IsEmpty());
}

TEST(Verdict, WhoStartsAgainIsTakenInUnlessItIsTooLate) {
  Life refused = failed(1, 90);
  refused.round = 0;
  EXPECT_THAT(rules_broken({finished(0), refused}), ElementsAre("who starts again is taken in"));
  refused.began_at = at(99);
  EXPECT_THAT(rules_broken({finished(0), refused}), IsEmpty());
}

TEST(Verdict, WhoWaitsWithoutEndIsNamed) {
  Life waiting = failed(1);
  waiting.failure.reset();
  waiting.has_ended = false;
  EXPECT_THAT(rules_broken({finished(0), waiting}), ElementsAre("nobody waits without end"));
}

TEST(Verdict, AllEndWithOneMean) {
  EXPECT_THAT(rules_broken({finished(0), finished(1, 0, 2.0f)}),
              ElementsAre("all end with one mean"));
}

TEST(Verdict, NobodyMayCrashWhateverBecameOfIt) {
  Life crashed = finished(1);
  crashed.was_stopped = true;
  crashed.crash = "a bug";
  EXPECT_THAT(rules_broken({finished(0), crashed}), ElementsAre("no process crashes"));
}

TEST(Verdict, OneThatSendsWhatNoMemberSendsMayEnd) {
  Hunt hunt;
  hunt.faults = {{.kind = Fault::Kind::kHostile, .at = at(5), .node = 1}};
  EXPECT_THAT(rules_broken({finished(0), failed(1)}, hunt), IsEmpty());
  Life other = failed(2);
  EXPECT_THAT(rules_broken({finished(0), other}, hunt), ElementsAre("no live member ends"));
  other.failure->kind = Failure::Kind::kDiverged;
  EXPECT_THAT(rules_broken({finished(0), other}, hunt), IsEmpty());
  EXPECT_THAT(rules_broken({finished(0), other}), ElementsAre("no live member ends"));
}

}  // namespace
}  // namespace gossamer
