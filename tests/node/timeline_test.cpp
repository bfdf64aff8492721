// Where a node's time goes: exact sums by clocks that only move when they are told to.

#include "gossamer/node/timeline.hpp"

#include <chrono>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/compress/registry.hpp"
#include "gossamer/network/sim/sim.hpp"
#include "gossamer/node/node.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer {
namespace {

using std::chrono::nanoseconds;
using ::testing::ElementsAre;

constexpr std::uint64_t kFirst = Timeline::kSampleFirst;
constexpr std::uint64_t kEvery = Timeline::kSampleEvery;
constexpr std::uint64_t kMiddle = kFirst + kEvery / 2;

/// A network whose clock the test moves.
class FakeNetwork : public Network {
 public:
  [[nodiscard]] NodeId self() const override { return 0; }

  [[nodiscard]] NodeId size() const override { return 1; }

  [[nodiscard]] Arrival receive(Time) override { return {}; }

  [[nodiscard]] Time now() const override { return Time(nanoseconds(time)); }

  void spend(Duration) override {}

  std::int64_t time = 1000;

 private:
  void deliver(NodeId, FrameKind, Round, const Message&) override {}
};

class SharingNetwork final : public FakeNetwork {
 public:
  [[nodiscard]] bool shares_thread() const override { return true; }
};

// The processor's clock, which the tests move too.
std::int64_t cpu = 0;
int cpu_reads = 0;

Duration fake_cpu() {
  ++cpu_reads;
  return nanoseconds(cpu);
}

template <typename World>
class Clocks : public ::testing::Test {
 protected:
  Clocks() { cpu = cpu_reads = 0; }

  // Work that takes so much of either clock.
  void pass(std::int64_t time, std::int64_t processor = 0) {
    network.time += time;
    cpu += processor;
  }

  void work(Phase phase, std::int64_t time, std::int64_t processor = 0) {
    timeline.enter(phase);
    pass(time, processor);
  }

  [[nodiscard]] std::int64_t spent(Phase phase) const { return timeline.spent().in(phase).count(); }

  World network;
  Timeline timeline{network, fake_cpu};
};

using TimelineTest = Clocks<FakeNetwork>;
using SharedThreadTest = Clocks<SharingNetwork>;

TEST_F(TimelineTest, AddsUpEveryPhase) {
  pass(7);
  for (const int scale : {1, 10}) {
    work(Phase::kCompute, scale * 100);
    work(Phase::kEncode, scale * 20);
    work(Phase::kWait, scale * 3);
    work(Phase::kDecode, scale * 4);
    work(Phase::kMix, scale * 5);
  }
  timeline.enter(Phase::kOther);
  EXPECT_EQ(spent(Phase::kCompute), 1100);
  EXPECT_EQ(spent(Phase::kEncode), 220);
  EXPECT_EQ(spent(Phase::kWait), 33);
  EXPECT_EQ(spent(Phase::kDecode), 44);
  EXPECT_EQ(spent(Phase::kMix), 55);
  EXPECT_EQ(spent(Phase::kOther), 7) << "from the timeline's begin, not from the clock's";
}

TEST_F(TimelineTest, CountsTheRunningSpanUntilNow) {
  work(Phase::kMix, 5);
  EXPECT_EQ(spent(Phase::kMix), 5);
  pass(6);
  EXPECT_EQ(spent(Phase::kMix), 11);
}

TEST_F(TimelineTest, GoesBackToThePhaseAroundAScope) {
  work(Phase::kMix, 1);
  {
    const PhaseScope decode(timeline, Phase::kDecode);
    pass(10);
    {
      const PhaseScope wait(timeline, Phase::kWait);
      EXPECT_EQ(timeline.since(), network.now());
      pass(100);
    }
    pass(1000);
  }
  pass(10000);
  EXPECT_EQ(spent(Phase::kMix), 10001);
  EXPECT_EQ(spent(Phase::kDecode), 1010);
  EXPECT_EQ(spent(Phase::kWait), 100);
}

TEST_F(TimelineTest, RecordsSpansOnlyIfAskedTo) {
  work(Phase::kMix, 5);
  timeline.enter(Phase::kOther);
  EXPECT_TRUE(timeline.spans().empty());
}

TEST_F(TimelineTest, RecordsEverySpanThatTookTime) {
  timeline.record_spans();
  timeline.begin_at(3);
  pass(1);
  work(Phase::kCompute, 10);
  work(Phase::kEncode, 0);
  work(Phase::kMix, 5);
  timeline.enter(Phase::kOther);
  timeline.next_round(4);
  work(Phase::kWait, 7);
  timeline.enter(Phase::kOther);
  const auto at = [](int time) { return Time(nanoseconds(time)); };
  EXPECT_THAT(timeline.spans(), ElementsAre(Span{Phase::kOther, 3, at(1000), at(1001)},
                                            Span{Phase::kCompute, 3, at(1001), at(1011)},
                                            Span{Phase::kMix, 3, at(1011), at(1016)},
                                            Span{Phase::kWait, 4, at(1016), at(1023)}));
}

TEST_F(TimelineTest, CountsTheProcessorForWorkAndNotForWaitingOrMeasuring) {
  work(Phase::kMix, 0, 1);
  work(Phase::kCompute, 0, 20);
  work(Phase::kMix, 0, 300);
  work(Phase::kWait, 0, 4'000);
  work(Phase::kDecode, 0, 50'000);
  work(Phase::kEncode, 0, 600'000);
  work(Phase::kOther, 0, 7'000'000);
  timeline.next_round(1);
  EXPECT_EQ(timeline.spent().cpu_compute, nanoseconds(20));
  EXPECT_EQ(timeline.spent().cpu_total, nanoseconds(650'321));
}

TEST_F(TimelineTest, CountsTheProcessorOfARoundWhenItIsOver) {
  work(Phase::kCompute, 0, 20);
  EXPECT_EQ(timeline.spent().cpu_total, Duration{});
  timeline.next_round(1);
  EXPECT_EQ(timeline.spent().cpu_compute, nanoseconds(20)) << "also if no other phase was entered";
  pass(0, 5);
  timeline.next_round(2);
  EXPECT_EQ(timeline.spent().cpu_compute, nanoseconds(25));
}

TEST_F(TimelineTest, ReadsTheProcessorsClockInTheFirstRoundsAndThenInOneOfEachBlock) {
  std::vector<Round> sampled;
  for (Round round = 0; round < kFirst + 3 * kEvery; ++round) {
    const int before = cpu_reads;
    work(Phase::kCompute, 1, 1);
    work(Phase::kOther, 1, 1);
    timeline.next_round(round + 1);
    if (cpu_reads > before && round >= kFirst) sampled.push_back(round);
    if (round < kFirst) {
      EXPECT_EQ(cpu_reads, before + 2) << round;
    }
  }
  EXPECT_THAT(sampled, ElementsAre(kMiddle, kMiddle + kEvery + 1, kMiddle + 2 * kEvery + 2));
}

TEST_F(TimelineTest, LetsASampledRoundStandForItsBlock) {
  // Rounds of one length each, and others of another: what is sampled adds up to all of them.
  for (Round round = 0; round < kFirst + 4 * kEvery; ++round) {
    work(Phase::kCompute, 1, round < kFirst ? 1000 : 10);
    work(Phase::kMix, 1, 1);
    work(Phase::kOther, 1, 99);
    timeline.next_round(round + 1);
  }
  const std::int64_t first = kFirst;
  const std::int64_t others = 4 * kEvery;
  EXPECT_EQ(timeline.spent().cpu_compute, nanoseconds(first * 1000 + others * 10));
  EXPECT_EQ(timeline.spent().cpu_total, nanoseconds(first * 1001 + others * 11));
}

TEST_F(TimelineTest, MissesNoPeriodOfTheAlgorithm) {
  // A meeting in every 16th round, as with local steps: in so many blocks each place has its turn.
  constexpr std::int64_t kRounds = kFirst + kEvery * kEvery;
  for (Round round = 0; round < kRounds; ++round) {
    work(Phase::kMix, 1, round % 16 == 15 ? 160 : 0);
    work(Phase::kOther, 1);
    timeline.next_round(round + 1);
  }
  EXPECT_EQ(timeline.spent().cpu_total, nanoseconds(kRounds * 10));
}

TEST_F(TimelineTest, ReadsTheProcessorsClockInEveryLongRound) {
  const auto reads_of = [&](std::int64_t length) {
    for (Round round = 0; round < kFirst; ++round) {
      work(Phase::kMix, 1, length);
      timeline.enter(Phase::kOther);
      timeline.next_round(round + 1);
    }
    cpu_reads = 0;
    work(Phase::kMix, 1, length);
    timeline.enter(Phase::kOther);
    return cpu_reads;
  };
  EXPECT_EQ(reads_of(Timeline::kLongRound.count()), 2);
  EXPECT_EQ(reads_of(0), 0) << "in the mean they are no longer long";
}

TEST_F(TimelineTest, SplitsMixingOfOtherRoundsAsInThoseThatAreSampled) {
  for (Round round = 0; round < kFirst + kEvery; ++round) {
    work(Phase::kCompute, 1000);
    work(Phase::kEncode, 20);
    work(Phase::kDecode, 30);
    work(Phase::kMix, 50);
    work(Phase::kWait, 7);
    timeline.enter(Phase::kOther);
    timeline.next_round(round + 1);
  }
  const std::int64_t rounds = kFirst + kEvery;
  EXPECT_EQ(spent(Phase::kCompute), rounds * 1000);
  EXPECT_EQ(spent(Phase::kEncode), rounds * 20);
  EXPECT_EQ(spent(Phase::kDecode), rounds * 30);
  EXPECT_EQ(spent(Phase::kMix), rounds * 50);
  EXPECT_EQ(spent(Phase::kWait), rounds * 7);
}

TEST_F(TimelineTest, LosesNoTimeOfRoundsThatAreNotLikeTheSampledOnes) {
  for (Round round = 0; round < kFirst; ++round) {
    work(Phase::kEncode, 1);
    work(Phase::kMix, 2);
    timeline.next_round(round + 1);  // in the midst of mixing, which goes on
  }
  work(Phase::kDecode, 99'999);
  work(Phase::kWait, 5);
  const std::int64_t sampled = kFirst;
  EXPECT_EQ(spent(Phase::kEncode) + spent(Phase::kDecode) + spent(Phase::kMix),
            3 * sampled + 99'999);
  EXPECT_EQ(spent(Phase::kEncode), sampled + 33'333) << "a third, as before";
  EXPECT_EQ(spent(Phase::kWait), 5);
}

TEST_F(TimelineTest, TellsAllApartInEveryRoundThatItRecords) {
  timeline.record_spans();
  for (Round round = 0; round < kFirst; ++round)
    timeline.next_round(round + 1);
  work(Phase::kDecode, 10);
  work(Phase::kMix, 1);
  timeline.enter(Phase::kOther);
  EXPECT_EQ(spent(Phase::kDecode), 10);
  ASSERT_EQ(timeline.spans().size(), 2u);
  EXPECT_EQ(timeline.spans()[0].phase, Phase::kDecode);
}

TEST_F(TimelineTest, RecordsARoundsEndWithinASpan) {
  timeline.record_spans();
  work(Phase::kMix, 3);
  timeline.next_round(1);
  pass(4);
  timeline.enter(Phase::kOther);
  const auto at = [](int time) { return Time(nanoseconds(time)); };
  EXPECT_THAT(timeline.spans(), ElementsAre(Span{Phase::kMix, 0, at(1000), at(1003)},
                                            Span{Phase::kMix, 1, at(1003), at(1007)}));
}

TEST_F(TimelineTest, CountsTheProcessorWhileSendingOnAThreadOfItsOwn) {
  timeline.enter(Phase::kMix);
  {
    const ThreadLeft left(timeline);
    pass(0, 70);
  }
  timeline.next_round(1);
  EXPECT_EQ(timeline.spent().cpu_total, nanoseconds(70));
}

TEST_F(SharedThreadTest, DoesNotCountTheProcessorWhileOthersMayRun) {
  timeline.enter(Phase::kCompute);
  pass(0, 1);
  {
    const ThreadLeft left(timeline);
    pass(500, 70);
  }
  pass(0, 2);
  timeline.next_round(1);
  EXPECT_EQ(timeline.spent().cpu_total, nanoseconds(3));
  EXPECT_EQ(spent(Phase::kCompute), 500) << "the network's clock goes on";
}

TEST_F(SharedThreadTest, LeavesAThreadWithoutReadingTheClockInRoundsThatAreNotSampled) {
  for (Round round = 0; round < kFirst; ++round)
    timeline.next_round(round + 1);
  cpu_reads = 0;
  timeline.enter(Phase::kMix);
  { const ThreadLeft left(timeline); }
  EXPECT_EQ(cpu_reads, 0);
}

TEST(TimeSpent, IsAddedAndDivided) {
  TimeSpent sum{
      .by_phase = {nanoseconds(1)}, .cpu_compute = nanoseconds(2), .cpu_total = nanoseconds(5)};
  sum += TimeSpent{
      .by_phase = {nanoseconds(9)}, .cpu_compute = nanoseconds(4), .cpu_total = nanoseconds(5)};
  EXPECT_EQ(sum, (TimeSpent{.by_phase = {nanoseconds(10)},
                            .cpu_compute = nanoseconds(6),
                            .cpu_total = nanoseconds(10)}));
  EXPECT_EQ(sum / 2, (TimeSpent{.by_phase = {nanoseconds(5)},
                                .cpu_compute = nanoseconds(3),
                                .cpu_total = nanoseconds(5)}));
}

TEST(ThreadCpuTime, GoesOnlyForward) {
  const Duration before = thread_cpu_time();
  EXPECT_GT(before, Duration{});
  EXPECT_GE(thread_cpu_time(), before);
}

TEST(NodeTimeline, WaitsAsLongAsAMessageTravels) {
  // 44 bytes and a header of 56 at 1 kB/s take 100 ms, after 5 ms of latency; node 1 computes for
  // 30 ms of that.
  SimSetup setup;
  setup.bandwidth = 1000;
  setup.latency = std::chrono::milliseconds(5);
  const Layout layout = Layout::flat(11);
  const auto pair = std::move(make_topology("chain", 2, 0)).value();
  const auto identity = std::move(make_compressor("identity", layout)).value();
  std::vector<TimeSpent> spent(2);
  const Result<void> ran = run_sim(2, setup, [&](Network& network) {
    Node node({network, *pair, layout, 7});
    if (node.id() == 0) {
      node.broadcast(node.compress(*identity, node.x()));
    } else {
      node.timeline().enter(Phase::kCompute);
      network.spend(std::chrono::milliseconds(30));
      node.timeline().enter(Phase::kMix);
      for (const Received& received : node.gather())
        node.add(*identity, received.message, 1.0f, node.x());
    }
    spent[node.id()] = node.timeline().spent();
  });
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(spent[1].in(Phase::kCompute), std::chrono::milliseconds(30));
  EXPECT_EQ(spent[1].in(Phase::kWait), std::chrono::milliseconds(75));
  EXPECT_EQ(spent[1].in(Phase::kMix), Duration{});
  EXPECT_EQ(spent[0].in(Phase::kWait), Duration{});
}

}  // namespace
}  // namespace gossamer
