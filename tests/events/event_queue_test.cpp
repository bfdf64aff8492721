// Events are handed on by another thread: nobody waits for those who listen.

#include "gossamer/events/event_queue.hpp"

#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/events/made_events.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Event lost(NodeId peer) {
  return at_node_2(PeerLost{peer, "it was silent"});
}

Event round_of(NodeId node, Round round) {
  return {node, round, Time{}, RoundDone{std::nullopt, 0}};
}

/// Keeps all that it is handed.
class Keeper final : public EventListener {
 public:
  explicit Keeper(EventKinds kinds = EventKinds::all()) : kinds_(kinds) {}

  [[nodiscard]] bool wants(EventKind kind) const noexcept override { return kinds_.has(kind); }

  void take(const Event& event) override { events.push_back(event); }

  void flush() override { ++flushes; }

  std::vector<Event> events;
  int flushes = 0;

 private:
  EventKinds kinds_;
};

/// Takes no event before it is let go.
class Stuck final : public EventListener {
 public:
  void take(const Event& event) override {
    if (!is_stuck_) {
      is_stuck_ = true;
      began.set_value();
      let_go.get_future().wait();
    }
    events.push_back(event);
  }

  std::promise<void> began;
  std::promise<void> let_go;
  std::vector<Event> events;

 private:
  bool is_stuck_ = false;
};

class Failing final : public EventListener {
 public:
  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    return kind == EventKind::kPeerLost || kind == EventKind::kSpans;
  }

  void take(const Event&) override {
    ++calls;
    throw std::runtime_error("the disk is full");
  }

  int calls = 0;
};

TEST(EventQueue, HandsOnEverythingInOrder) {
  Keeper keeper;
  EventQueue queue({&keeper});
  for (const Event& event : made_events())
    queue.take(event);
  queue.drain();
  EXPECT_EQ(keeper.events, made_events());
  EXPECT_THAT(queue.errors(), IsEmpty());
}

TEST(EventQueue, DrainsWhenItEnds) {
  Keeper keeper;
  {
    EventQueue queue({&keeper});
    queue.take(lost(1));
    queue.take(round_of(0, 1));
  }
  EXPECT_THAT(keeper.events, ElementsAre(lost(1), round_of(0, 1)));
}

TEST(EventQueue, HandsOnRoundsWithoutACall) {
  Stuck first_round;
  EventQueue queue({&first_round});
  queue.take(round_of(0, 1));
  first_round.began.get_future().wait();
  first_round.let_go.set_value();
}

TEST(EventQueue, TakesWhileAListenerIsStuck) {
  Stuck stuck;
  Keeper keeper;
  EventQueue queue({&stuck, &keeper});
  queue.take(lost(0));
  stuck.began.get_future().wait();
  for (NodeId peer = 1; peer <= 1000; ++peer)
    queue.take(lost(peer));
  stuck.let_go.set_value();
  queue.drain();
  ASSERT_EQ(stuck.events.size(), 1001u);
  EXPECT_EQ(stuck.events, keeper.events);
  for (NodeId peer = 0; peer <= 1000; ++peer)
    EXPECT_EQ(stuck.events[peer], lost(peer));
}

TEST(EventQueue, KeepsTheLastRoundOfEachNodeAndCountsTheOthers) {
  Stuck stuck;
  EventQueue queue({&stuck});
  queue.take(lost(9));
  stuck.began.get_future().wait();
  for (Round round = 1; round <= 100; ++round) {
    queue.take(round_of(0, round));
    queue.take(round_of(1, 2 * round));
    if (round == 50) queue.take(lost(8));
  }
  stuck.let_go.set_value();
  queue.drain();
  EXPECT_THAT(stuck.events, ElementsAre(lost(9), lost(8), round_of(0, 100), round_of(1, 200)));
  EXPECT_EQ(queue.left_out(), 198u);
}

TEST(EventQueue, CallsAListenerThatThrewNeverAgain) {
  Failing failing;
  Keeper keeper({EventKind::kPeerLost});
  EventQueue queue({&failing, &keeper});
  EXPECT_TRUE(queue.wants(EventKind::kSpans));
  queue.take(lost(1));
  queue.take(lost(2));
  queue.drain();
  EXPECT_EQ(failing.calls, 1);
  EXPECT_THAT(queue.errors(), ElementsAre("the disk is full"));
  EXPECT_THAT(keeper.events, ElementsAre(lost(1), lost(2)));
  EXPECT_FALSE(queue.wants(EventKind::kSpans)) << "only the one that failed wanted them";
  EXPECT_TRUE(queue.wants(EventKind::kPeerLost));
}

TEST(EventQueue, KeepsTheSentenceOfAListenerThatFailsToFlush) {
  class FullDisk final : public EventListener {
   public:
    void take(const Event&) override {}

    void flush() override { throw std::runtime_error("cannot write"); }
  };

  FullDisk disk;
  EventQueue queue({&disk});
  queue.take(lost(1));
  queue.drain();
  EXPECT_THAT(queue.errors(), ElementsAre("cannot write"));
  EXPECT_FALSE(queue.wants(EventKind::kPeerLost));
}

TEST(EventQueue, WantsWhatAnyOfItsListenersWants) {
  Keeper losses({EventKind::kPeerLost});
  Keeper spans({EventKind::kSpans, EventKind::kEnded});
  const EventQueue queue({&losses, &spans});
  for (std::size_t i = 0; i < kEventKindCount; ++i) {
    const auto kind = static_cast<EventKind>(i);
    EXPECT_EQ(queue.wants(kind), losses.wants(kind) || spans.wants(kind)) << name_of(kind);
  }
  EXPECT_FALSE(EventQueue({}).wants(EventKind::kPeerLost));
}

TEST(EventQueue, HandsEachListenerWhatItWants) {
  Keeper losses({EventKind::kPeerLost});
  Keeper returns({EventKind::kPeerBack});
  EventQueue queue({&losses, &returns});
  queue.take(lost(1));
  queue.take(at_node_2(PeerBack{1}));
  queue.take(at_node_2(Ended{"finished"}));
  queue.drain();
  EXPECT_THAT(losses.events, ElementsAre(lost(1)));
  EXPECT_THAT(returns.events, ElementsAre(at_node_2(PeerBack{1})));
}

TEST(EventQueue, FlushesBehindEachBatch) {
  Keeper keeper;
  EventQueue queue({&keeper});
  queue.take(lost(1));
  queue.drain();
  EXPECT_EQ(keeper.flushes, 1);
  queue.drain();
  EXPECT_EQ(keeper.flushes, 1) << "nothing came";
}

TEST(EventQueue, TakesFromManyThreadsAndKeepsTheOrderOfEach) {
  Keeper keeper;
  EventQueue queue({&keeper});
  {
    std::vector<std::jthread> nodes;
    for (NodeId node = 0; node < 4; ++node) {
      nodes.emplace_back([&queue, node] {
        for (Round round = 0; round < 200; ++round) {
          queue.take({node, round, Time{}, PeerBack{0}});
          queue.take(round_of(node, round));
        }
      });
    }
    std::jthread reader([&queue] {
      for (int i = 0; i < 20; ++i) {
        queue.drain();
        (void)queue.left_out();
        (void)queue.errors();
      }
    });
  }
  queue.drain();
  for (NodeId node = 0; node < 4; ++node) {
    Round next = 0;
    Round last_round = 0;
    for (const Event& event : keeper.events) {
      if (event.node != node) continue;
      if (event.kind() == EventKind::kPeerBack) {
        EXPECT_EQ(event.round, next++);
      } else {
        EXPECT_GE(event.round, last_round);
        last_round = event.round;
      }
    }
    EXPECT_EQ(next, 200u);
    EXPECT_EQ(last_round, 199u);
  }
}

TEST(EventSource, SaysWhoWhenAndWhat) {
  Keeper keeper;
  EventQueue queue({&keeper});
  const EventSource source(&queue, 2, [] { return Time(std::chrono::milliseconds(34'500)); });
  source.emit(1200, PeerBack{3});
  queue.drain();
  EXPECT_THAT(keeper.events, ElementsAre(at_node_2(PeerBack{3})));
}

TEST(EventSource, DoesNothingWhereNobodyListens) {
  const EventSource nobody;
  EXPECT_FALSE(nobody.wants(EventKind::kPeerBack));
  nobody.emit(0, PeerBack{1});
  Keeper losses({EventKind::kPeerLost});
  EventQueue queue({&losses});
  const EventSource unheard(&queue, 0, []() -> Time { throw std::logic_error("not asked"); });
  EXPECT_TRUE(unheard.wants(EventKind::kPeerLost));
  EXPECT_FALSE(unheard.wants(EventKind::kPeerBack));
  unheard.emit(0, PeerBack{1});
}

}  // namespace
}  // namespace gossamer::testing
