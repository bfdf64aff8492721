// How what peers tell becomes one table: when a line that several say is told, and with whom; which
// reports make a row; and how much a peer tells.

#include "apps/launch/shared_lines.hpp"

#include <chrono>
#include <set>
#include <sstream>
#include <string>

#include "apps/console/event_stream.hpp"
#include "apps/launch/combined_reports.hpp"
#include "apps/launch/node_list.hpp"
#include "apps/launch/standings.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/event_json.hpp"

namespace gossamer::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::set<NodeId> kThree = {0, 1, 2};

SharedLines::Line line_of(const std::string& text) {
  return {.key = text, .text = text};
}

TEST(SharedLines, WaitForOthersUntilAllHaveSaidIt) {
  SharedLines lines(milliseconds(500));
  const SharedLines::Time start{};
  lines.take(0, line_of("x"), start);
  lines.take(2, line_of("x"), start);
  EXPECT_FALSE(lines.next(kThree, start));
  lines.take(1, line_of("x"), start);
  const auto told = lines.next(kThree, start);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->who, kThree);
  EXPECT_FALSE(lines.next(kThree, start));
  EXPECT_FALSE(lines.due());
}

TEST(SharedLines, WaitNotForThoseWhoAreGone) {
  SharedLines lines(milliseconds(500));
  const SharedLines::Time start{};
  lines.take(0, line_of("x"), start);
  lines.take(1, line_of("x"), start);
  // One of those two is gone, and the third has yet to say it.
  EXPECT_FALSE(lines.next({1, 2}, start));
  EXPECT_TRUE(lines.next({1}, start));
}

TEST(SharedLines, WaitForAMomentAndLeaveOutThoseWhoComeLate) {
  SharedLines lines(milliseconds(500));
  const SharedLines::Time start{};
  lines.take(0, line_of("x"), start);
  ASSERT_TRUE(lines.due());
  const SharedLines::Time due = *lines.due();
  EXPECT_FALSE(lines.next(kThree, due - milliseconds(1)));
  const auto told = lines.next(kThree, due);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->who, std::set<NodeId>{0});
  lines.take(1, line_of("x"), due + seconds(10));
  EXPECT_FALSE(lines.next_at_once());
  // Who says it again means that it happened again; and what is old is forgotten.
  lines.take(1, line_of("x"), due + seconds(11));
  EXPECT_TRUE(lines.next_at_once());
  lines.take(2, line_of("x"), due + seconds(120));
  EXPECT_TRUE(lines.next_at_once());
}

TEST(SharedLines, TellOfThoseWhoComeLateIfEachSpeaksOfItself) {
  SharedLines lines(milliseconds(500));
  SharedLines::Line own = line_of("x");
  own.late = SharedLines::Late::kTold;
  lines.take(0, own, {});
  EXPECT_TRUE(lines.next_at_once());
  lines.take(1, own, {});
  EXPECT_TRUE(lines.next_at_once());
}

TEST(SharedLines, TellAnewWhatWasOver) {
  SharedLines lines(milliseconds(500));
  lines.take(0, line_of("down"), {});
  EXPECT_TRUE(lines.next_at_once());
  lines.forget("down");
  lines.take(1, line_of("down"), {});
  EXPECT_TRUE(lines.next_at_once());
}

TEST(SharedLines, StayInTheirOrder) {
  SharedLines lines(milliseconds(500));
  lines.take(0, line_of("first"), {});
  for (const NodeId node : kThree)
    lines.take(node, line_of("second"), {});
  EXPECT_FALSE(lines.next(kThree, {})) << "the first one waits";
  EXPECT_EQ(lines.next_at_once()->text, "first");
  EXPECT_EQ(lines.next(kThree, {})->text, "second");
}

TEST(NodeList, JoinsNeighbours) {
  EXPECT_EQ(node_list({}), "");
  EXPECT_EQ(node_list({3}), "3");
  EXPECT_EQ(node_list({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(named_nodes({3}), "node 3");
  EXPECT_EQ(named_nodes({3, 4}), "nodes 3-4");
}

Measurement own_report(Round round, double objective) {
  Measurement report;
  report.round = round;
  report.objective = objective;
  report.is_own = true;
  return report;
}

Event event_of(NodeId node, Round round, What what) {
  return {node, round, {}, std::move(what)};
}

TEST(CombinedReports, WaitForAllWhoAreActive) {
  Standings standings(3);
  CombinedReports reports;
  reports.take(0, own_report(5, 1.0));
  reports.take(1, own_report(5, 3.0));
  EXPECT_THAT(reports.complete(standings), IsEmpty());
  // Lost, ended, or already beyond that round: it has nothing to add.
  Standings lost = standings;
  lost.take(event_of(0, 5, PeerLost{2, "silent"}));
  Standings ended = standings;
  ended.end(2);
  Standings beyond = standings;
  beyond.take(event_of(2, 6, RoundDone{}));
  for (const Standings& without : {lost, ended, beyond}) {
    CombinedReports copy = reports;
    const auto complete = copy.complete(without);
    ASSERT_THAT(complete, SizeIs(1));
    EXPECT_EQ(complete[0].peers, 2u);
    EXPECT_EQ(complete[0].figures.objective, 2.0);
    copy.take(2, own_report(5, 9.0));
    EXPECT_THAT(copy.rest(), IsEmpty()) << "it comes too late";
  }
}

TEST(CombinedReports, ComeInTheOrderOfRounds) {
  Standings standings(2);
  CombinedReports reports;
  for (const Round round : {1, 2, 3})
    reports.take(0, own_report(round, 1.0));
  EXPECT_THAT(reports.complete(standings), IsEmpty());
  reports.take(1, own_report(1, 1.0));
  reports.take(1, own_report(2, 1.0));
  EXPECT_THAT(reports.complete(standings), SizeIs(2));
  EXPECT_THAT(reports.rest(), SizeIs(1));
}

TEST(CombinedReports, HaveTheWorstOfOwnModels) {
  CombinedReports reports;
  for (const NodeId node : kThree) {
    Measurement report = own_report(1, 0.0);
    report.objective.reset();
    report.tested.emplace();
    report.tested->mean_model = {1.0, 0.25 * (node + 1)};
    reports.take(node, report);
  }
  const auto rest = reports.rest();
  ASSERT_THAT(rest, SizeIs(1));
  EXPECT_EQ(rest[0].figures.tested->mean_model.accuracy, 0.5);
  EXPECT_EQ(rest[0].figures.tested->accuracy_nodes_worst, 0.25);
}

TEST(EventStream, HasAtMostTenRoundsASecondAndAllElse) {
  using Clock = std::chrono::steady_clock;
  EventStream stream;
  ::testing::internal::CaptureStdout();
  const Clock::time_point begin = Clock::now();
  for (Round round = 1; round <= 2000; ++round) {
    stream.take(event_of(1, round, RoundDone{}));
    if (round % 100 == 0) stream.take(event_of(1, round, PeerBack{2}));
  }
  const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
  stream.flush();
  std::istringstream printed(::testing::internal::GetCapturedStdout());
  std::size_t rounds = 0;
  std::size_t others = 0;
  for (std::string line; std::getline(printed, line);) {
    const Result<Event> event = parse_event(line);
    ASSERT_TRUE(event) << line;
    ++(event.value().kind() == EventKind::kRoundDone ? rounds : others);
  }
  EXPECT_GE(rounds, 1u);
  EXPECT_LE(static_cast<double>(rounds), 1.0 + 10.0 * spent);
  EXPECT_EQ(others, 20u);
}

TEST(Standings, TakeNobodysWordWhenEachIsLostToSomebody) {
  Standings standings(3);
  standings.take(event_of(0, 1, PeerLost{2, ""}));
  EXPECT_THAT(standings.active(), ElementsAre(0, 1));
  standings.take(event_of(2, 1, PeerLost{0, ""}));
  standings.take(event_of(2, 1, PeerLost{1, ""}));
  EXPECT_THAT(standings.active(), ElementsAre(0, 1, 2));
  standings.end(2);
  EXPECT_THAT(standings.active(), ElementsAre(0, 1));
}

}  // namespace
}  // namespace gossamer::cli
