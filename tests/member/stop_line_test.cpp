#include "gossamer/member/stop_line.hpp"

#include "tests/support/event_callback.hpp"
#include "tests/train/runs.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

TEST(StopLine, LetsEveryRoundBeginUntilSomebodyAsks) {
  StopLine line;
  EXPECT_TRUE(line.may_begin(0));
  EXPECT_TRUE(line.may_begin(1));
  EXPECT_FALSE(line.line());
}

TEST(StopLine, LiesBehindEveryRoundThatHasBegun) {
  StopLine line;
  ASSERT_TRUE(line.may_begin(7));  // a node that is ahead
  line.request();
  EXPECT_TRUE(line.may_begin(5));  // those behind come as far
  EXPECT_TRUE(line.may_begin(7));
  EXPECT_FALSE(line.may_begin(8));
  EXPECT_EQ(line.line(), 8u);
}

TEST(StopLine, StopsARunThatHasNotBegun) {
  StopLine line;
  line.request();
  EXPECT_TRUE(line.may_begin(0));
  EXPECT_FALSE(line.may_begin(1));
}

// Of one that waits for others.
TEST(StopLine, IsBeforeTheFirstRoundOfANodeThatHasBegunNone) {
  StopLine line;
  std::vector<Round> told;
  line.tell_others(3, [&](Round round) { told.push_back(round); });
  EXPECT_FALSE(line.stop_before_begin());
  line.request();
  EXPECT_TRUE(line.stop_before_begin());
  EXPECT_TRUE(line.stop_before_begin());
  EXPECT_EQ(told, std::vector<Round>{0});
  EXPECT_FALSE(line.may_begin(0));
}

// The control: others who have begun wait for it on their way to their line.
TEST(StopLine, LetsANodeBeginIfOthersStopLater) {
  StopLine line;
  line.hear(7);
  line.request();
  EXPECT_FALSE(line.stop_before_begin());
  EXPECT_TRUE(line.may_begin(0));
}

// Asked for in the middle, from the thread of whichever node comes first.
TEST(StopLine, EndsARunWhereAllNodesAreEquallyFar) {
  const auto experiment = experiment_of({{"task", "quadratic"},
                                         {"algorithm", "choco"},
                                         {"compressor", "sign"},
                                         {"gamma", "0.4"},
                                         {"lr", "0.01"},
                                         {"rounds", "100000"},
                                         {"report", "10,100000"}});
  StopLine line;
  RunOptions options;
  options.stop = &line;
  EventCallback events([&](const Event& event) {
    if (event.kind() == EventKind::kRoundDone && event.round == 10) line.request();
  });
  options.events = &events;
  const Recorded recorded = record(*experiment, options);
  ASSERT_TRUE(recorded.outcome.stopped_after);
  EXPECT_LT(*recorded.outcome.stopped_after, 100u);
  ASSERT_TRUE(recorded.outcome.last);
  EXPECT_EQ(recorded.outcome.last->round, *recorded.outcome.stopped_after);
  EXPECT_FALSE(recorded.outcome.failure);
}

}  // namespace
}  // namespace gossamer::testing
