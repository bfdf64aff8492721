#include "gossamer/member/edges/edge_end.hpp"

#include <random>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

using Next = EdgeEnd::Next;

Message number(std::uint64_t i) {
  ByteWriter out = Message::writer();
  out.write(i);
  return Message(std::move(out));
}

std::uint64_t number_in(const Message& message) {
  return ByteReader(message.payload()).read<std::uint64_t>();
}

LossRecord record_of(const EdgeEnd& end) {
  LossRecord record;
  end.describe(record);
  return record;
}

/// Both ends of an edge, with messages on their way.
struct Pair {
  struct Side {
    EdgeEnd end;
    std::uint64_t sent = 0;
    std::vector<std::uint64_t> under_way;  // to the other side
    std::vector<std::uint64_t> inbox;
    std::vector<std::uint64_t> taken;
    bool has_sent = false;  // of its present exchange
  };

  Side sides[2];

  /// One step of one side, if it can do one: send, or take.
  void step(int i) {
    Side& own = sides[i];
    if (!own.has_sent) {
      own.end.note_sent(number(own.sent));
      own.under_way.push_back(own.sent++);
      own.has_sent = true;
    } else if (own.end.next() == Next::kTake) {
      own.taken.push_back(own.inbox[own.taken.size()]);
      own.end.note_taken();
      own.has_sent = false;
    }
  }

  void arrive(int to) {
    std::vector<std::uint64_t>& under_way = sides[1 - to].under_way;
    if (under_way.empty() || !sides[to].end.note_arrived()) return;
    sides[to].inbox.push_back(under_way.front());
    under_way.erase(under_way.begin());
  }

  /// What is left to take after both have settled.
  void finish(int i) {
    Side& own = sides[i];
    while (own.end.next() == Next::kTake) {
      own.taken.push_back(own.inbox[own.taken.size()]);
      own.end.note_taken();
    }
    EXPECT_EQ(own.end.next(), Next::kOver);
  }
};

// Whatever was sent, taken and lost when it broke.
TEST(EdgeEnd, BothEndsTakePartInTheSameExchanges) {
  std::mt19937 random(1);
  for (int run = 0; run < 2000; ++run) {
    Pair pair;
    for (auto steps = random() % 60; steps > 0; --steps) {
      const int side = static_cast<int>(random() % 2);
      random() % 2 == 0 ? pair.step(side) : pair.arrive(side);
    }
    // One gives up first, and the other may go on for a while.
    const int first = static_cast<int>(random() % 2);
    pair.sides[first].end.give_up();
    for (auto steps = random() % 6; steps > 0; --steps)
      random() % 2 == 0 ? pair.step(1 - first) : pair.arrive(1 - first);
    pair.sides[1 - first].end.give_up();
    const LossRecord records[2] = {record_of(pair.sides[0].end), record_of(pair.sides[1].end)};
    for (int i = 0; i < 2; ++i) {
      for (const Message& missed : pair.sides[i].end.settle(records[1 - i]))
        pair.sides[i].inbox.push_back(number_in(missed));
      pair.finish(i);
    }
    ASSERT_EQ(pair.sides[0].taken, pair.sides[1].taken) << "run " << run;
    for (std::uint64_t i = 0; i < pair.sides[0].taken.size(); ++i)
      ASSERT_EQ(pair.sides[0].taken[i], i);
    ASSERT_EQ(pair.sides[0].taken.size(), std::min(pair.sides[0].sent, pair.sides[1].sent));
  }
}

TEST(EdgeEnd, WithADeadEndTakesWhatCame) {
  EdgeEnd end;
  end.note_sent(number(0));
  EXPECT_EQ(end.next(), Next::kWait);
  end.give_up();
  EXPECT_EQ(end.next(), Next::kWait) << "the other end may have sent before it gave up";
  EXPECT_FALSE(end.note_arrived()) << "too late";
  end.settle_alone();
  EXPECT_EQ(end.next(), Next::kOver);

  EdgeEnd other;
  other.note_sent(number(0));
  EXPECT_TRUE(other.note_arrived());
  other.give_up();
  EXPECT_EQ(other.next(), Next::kTake) << "both had sent";
  other.note_taken();
  EXPECT_EQ(other.next(), Next::kOver) << "this end has not sent another one";
}

TEST(EdgeEnd, ARecordTravelsWhole) {
  LossRecord record{.of = 5,
                    .edge = {.peer = 7, .number = 11},
                    .reason = "it was silent",
                    .wants_answer = true,
                    .sent = 40,
                    .last = {number(38), number(39)}};
  ByteWriter out;
  record.write(out);
  ByteReader in(out.bytes());
  const LossRecord read = LossRecord::read(in);
  in.expect_end();
  EXPECT_EQ(read.of, 5u);
  EXPECT_EQ(read.edge, (EdgeName{7, 11}));
  EXPECT_TRUE(read.wants_answer);
  EXPECT_EQ(read.reason, "it was silent");
  EXPECT_EQ(read.sent, 40u);
  ASSERT_EQ(read.last.size(), 2u);
  EXPECT_EQ(number_in(read.last[1]), 39u);
  for (std::size_t size = 0; size < out.size(); ++size) {
    ByteReader cut(out.bytes().first(size));
    EXPECT_THROW(static_cast<void>(LossRecord::read(cut)), CorruptMessage);
  }
}

}  // namespace
}  // namespace gossamer
