// A node that waits for others before its first round, on a clock that goes as far as it waits.

#include "gossamer/member/waiting_room.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/event_callback.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/sentence.hpp"
#include "gossamer/member/roll_call.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Nobody ever comes, and every wait ends at its deadline.
class EmptyNetwork final : public Network {
 public:
  [[nodiscard]] NodeId self() const override { return 0; }

  [[nodiscard]] NodeId size() const override { return 4; }

  [[nodiscard]] Arrival receive(Time deadline) override {
    now_ = std::max(now_, deadline);
    at_time(now_);
    if (!arrives_in_a_moment || now_ < Time(std::chrono::milliseconds(300))) return {};
    return {Arrival::Kind::kAside, 1, 0, *std::exchange(arrives_in_a_moment, std::nullopt)};
  }

  [[nodiscard]] Time now() const override { return now_; }

  void spend(Duration) override {}

  [[nodiscard]] std::vector<Trouble> troubles() const override {
    return {{1, "its connection was refused"}};
  }

  std::function<void(Time)> at_time = [](Time) {};
  std::optional<Message> arrives_in_a_moment;

 private:
  void deliver(NodeId, FrameKind, Round, const Message&) override {}

  Time now_{};
};

class WaitingNode : public ::testing::Test {
 protected:
  EmptyNetwork network_;
  std::unique_ptr<Topology> topology_ = std::move(make_topology("ring", 4, 0)).value();
  Layout layout_ = Layout::flat(1);
  std::vector<Event> told_;
  EventCallback events_{[this](const Event& event) { told_.push_back(event); }};
  NodeHost host_{{network_, *topology_, layout_, 1, minutes(5)}, &events_};
  StopLine stop_;
};

TEST_F(WaitingNode, TellsEveryFewSecondsForWhomItWaitsAndWhy) {
  WaitingRoom room(host_, &stop_);
  EXPECT_FALSE(room.next_aside(Time(seconds(12)), {1, 2}));
  EXPECT_FALSE(room.is_stopped());
  EXPECT_EQ(network_.now(), Time(seconds(12)));
  std::vector<std::string> sentences;
  for (const Event& event : told_)
    sentences.push_back(sentence_of(event));
  EXPECT_THAT(sentences,
              ElementsAre("waiting for node 1 (its connection was refused), node 2 (nothing was "
                          "heard of it); 5 s so far",
                          "waiting for node 1 (its connection was refused), node 2 (nothing was "
                          "heard of it); 10 s so far"));
}

// The control: who need not wait long tells nothing.
TEST_F(WaitingNode, TellsNothingInTheFirstSeconds) {
  WaitingRoom room(host_, nullptr);
  EXPECT_FALSE(room.next_aside(Time(seconds(4)), {1, 2}));
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(WaitingNode, HearsOfAStopAtOnce) {
  network_.at_time = [this](Time now) {
    if (now >= Time(seconds(7))) stop_.request();
  };
  WaitingRoom room(host_, &stop_);
  EXPECT_FALSE(room.next_aside(Time(minutes(5)), {1, 2}));
  EXPECT_TRUE(room.is_stopped());
  EXPECT_LT(network_.now(), Time(seconds(8)));
  EXPECT_THAT(told_, SizeIs(1));
}

// Those who have it already have begun, and wait for this node: it must not leave them.
TEST_F(WaitingNode, TakesWhatIsOnItsWayWhenItIsToStop) {
  stop_.request();
  network_.arrives_in_a_moment = make_aside(AsideKind::kRollCall, [](ByteWriter&) {});
  WaitingRoom room(host_, &stop_);
  EXPECT_TRUE(room.next_aside(Time(minutes(5)), {1}));
  EXPECT_FALSE(room.is_stopped());
  EXPECT_TRUE(stop_.may_begin(0)) << "with all others";
  EXPECT_FALSE(stop_.may_begin(1));
}

TEST_F(WaitingNode, HearsOfAStopOfOthers) {
  network_.at_time = [this](Time) { stop_.hear(0); };
  WaitingRoom room(host_, &stop_);
  EXPECT_FALSE(room.next_aside(Time(minutes(5)), {1, 2}));
  EXPECT_TRUE(room.is_stopped());
  EXPECT_LT(network_.now(), Time(seconds(1)));
}

TEST_F(WaitingNode, EndsTheRollCallWithoutAnError) {
  network_.at_time = [this](Time now) {
    if (now >= Time(seconds(7))) stop_.request();
  };
  RollCall call(host_, {1, 3}, 4, {}, &stop_);
  EXPECT_EQ(call.wait(Time(minutes(5)), RollCall::Absent::kMayCome), std::nullopt);
  EXPECT_LT(network_.now(), Time(seconds(8)));
  // The control: who is not stopped waits to the end, and says for whom.
  RollCall another(host_, {1, 3}, 4, {});
  EXPECT_THROW((void)another.wait(Time(minutes(5)), RollCall::Absent::kMayCome), RunEnded);
  EXPECT_EQ(network_.now(), Time(minutes(5)));
  EXPECT_THAT(told_, SizeIs(Gt(50u)));
}

}  // namespace
}  // namespace gossamer::testing
