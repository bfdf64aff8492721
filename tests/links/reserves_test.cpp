// Peers on demand: nodes that meet later, and part again.

#include <chrono>
#include <string>
#include <thread>

#include "tests/network/cutting_proxy.hpp"
#include "tests/network/tls_world.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using namespace std::chrono_literals;
using Kind = Arrival::Kind;

/// Two nodes, each of which has the other in reserve.
class TlsReserves : public ::testing::TestWithParam<Wires> {
 protected:
  TlsReserves() : neighbourhood_(2, GetParam()) {
    for (const NodeId node : {0u, 1u}) {
      TlsSetup& setup = neighbourhood_.setup(node);
      setup.reserves = std::move(setup.peers);
      setup.peers.clear();
      setup.deadline = 2s;
    }
  }

  // Whatever comes, until this does.
  static void expect_next(Network& network, Kind kind, Round round = 0) {
    const Arrival arrival = next(network);
    EXPECT_EQ(arrival.kind, kind) << arrival.reason;
    EXPECT_EQ(arrival.round, round);
  }

  static void expect_nothing(TlsNetwork& network) {
    const Arrival arrival = network.receive(network.now() + 20ms);
    EXPECT_EQ(arrival.kind, Kind::kTimedOut) << arrival.reason;
  }

  static void let_live(TlsNetwork& network) {
    const Arrival arrival = network.receive(network.now() + 1ms);
    ASSERT_EQ(arrival.kind, Kind::kTimedOut) << arrival.reason;
  }

  // Node `asks` has reached the other.
  static void expect_conversation(TlsNetwork& asks, TlsNetwork& other) {
    expect_next(asks, Kind::kPeerBack);
    expect_next(other, Kind::kPeerBack);
    exchange(asks, other);
  }

  static void exchange(TlsNetwork& one, TlsNetwork& other) {
    one.send(other.self(), 5, message_of(10, 1));
    expect_next(other, Kind::kMessage, 5);
    other.send_aside(one.self(), 6, message_of(10, 1));
    expect_next(one, Kind::kAside, 6);
  }

  Neighbourhood neighbourhood_;
};

TEST_P(TlsReserves, AreNeitherCalledNorMissed) {
  neighbourhood_.setup(0).start_deadline = 1ms;
  neighbourhood_.setup(0).deadline = 1ms;
  const auto network = neighbourhood_.open(0);
  network->send(1, 1, message_of(10, 1));
  expect_nothing(*network);
  EXPECT_TRUE(network->links().empty());
  EXPECT_TRUE(neighbourhood_.told(0).lines().empty());
}

// Whichever of the two asks, and whether the other one does, too.
TEST_P(TlsReserves, MeetWhenOneReachesTheOther) {
  for (const int who : {1, 2, 3}) {
    SCOPED_TRACE(who);
    Neighbourhood fresh(2, GetParam());
    for (const NodeId node : {0u, 1u}) {
      fresh.setup(node).reserves = std::move(fresh.setup(node).peers);
      fresh.setup(node).peers.clear();
    }
    const auto a = fresh.open(0);
    const auto b = fresh.open(1);
    if ((who & 1) != 0) a->reach(1);
    if ((who & 2) != 0) b->reach(0);
    expect_conversation(*a, *b);
    a->reach(1);
    b->reach(0);
    expect_nothing(*a);
    expect_nothing(*b);
    ASSERT_EQ(a->links().size(), 1u);
    EXPECT_TRUE(a->links()[0].is_up);
    EXPECT_TRUE(fresh.told(0).lines().empty()) << fresh.told(0).lines()[0];
  }
}

TEST_P(TlsReserves, ThatDoNotComeAreLostAfterTheDeadlineAndComeLater) {
  neighbourhood_.setup(0).deadline = 60ms;
  const auto asks = neighbourhood_.open(0);
  asks->reach(1);
  const Arrival lost = next(*asks);
  EXPECT_EQ(lost.kind, Kind::kPeerLost);
  EXPECT_NE(lost.reason.find(" for "), std::string::npos) << lost.reason;
  expect_nothing(*asks);
  const auto late = neighbourhood_.open(1);
  expect_conversation(*asks, *late);
  EXPECT_TRUE(neighbourhood_.told(0).has("node 1 is lost"));
  EXPECT_TRUE(neighbourhood_.told(0).has("node 1 is back"));
}

// What was sent before still comes; this end is told nothing; the other knows that all is well.
TEST_P(TlsReserves, PartAndMeetAgain) {
  const auto a = neighbourhood_.open(0);
  const auto b = neighbourhood_.open(1);
  for (int time = 0; time < 3; ++time) {
    SCOPED_TRACE(time);
    a->reach(1);
    expect_conversation(*a, *b);
    a->send(1, 7, message_of(300'000, 1));
    a->part_from(1);
    a->send(1, 8, message_of(10, 1));
    expect_next(*b, Kind::kMessage, 7);
    const Arrival parted = next(*b);
    EXPECT_EQ(parted.kind, Kind::kPeerLost);
    EXPECT_EQ(parted.reason, kPartedReason);
    while (a->links()[0].is_up || b->links()[0].is_up) {
      let_live(*a);
      let_live(*b);
    }
    expect_nothing(*a);
    expect_nothing(*b);
  }
  for (const NodeId node : {0u, 1u})
    EXPECT_TRUE(neighbourhood_.told(node).lines().empty()) << neighbourhood_.told(node).lines()[0];
}

TEST_P(TlsReserves, MayBothPartAtOnce) {
  for (int time = 0; time < 10; ++time) {
    SCOPED_TRACE(time);
    Neighbourhood fresh(2, GetParam());
    for (const NodeId node : {0u, 1u}) {
      fresh.setup(node).reserves = std::move(fresh.setup(node).peers);
      fresh.setup(node).peers.clear();
    }
    const auto a = fresh.open(0);
    const auto b = fresh.open(1);
    a->reach(1);
    b->reach(0);
    expect_conversation(*a, *b);
    a->part_from(1);
    b->part_from(0);
    // Whose goodbye is first is a matter of luck; in the end both are apart, and may hear of it.
    while (a->links()[0].is_up || b->links()[0].is_up) {
      for (TlsNetwork* const network : {a.get(), b.get()}) {
        const Arrival arrival = network->receive(network->now() + 1ms);
        ASSERT_NE(arrival.kind, Kind::kPeerBack);
      }
    }
    a->reach(1);
    for (TlsNetwork* const network : {a.get(), b.get()}) {
      Arrival arrival = next(*network);
      if (arrival.kind == Kind::kPeerLost) arrival = next(*network);
      EXPECT_EQ(arrival.kind, Kind::kPeerBack) << arrival.reason;
    }
    exchange(*a, *b);
  }
}

// A goodbye whose receipt is cut off is confirmed by the next call, and nobody is back for it.
TEST_P(TlsReserves, PartOverALinkThatIsCut) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Neighbourhood fresh(2, GetParam());
    const DeadPort wall;
    // Of a TLS record of small frames all comes, or nothing: enough for one of them.
    CuttingProxy proxy(fresh.port(0), seed, GetParam() == Wires::kTls ? 30'000 : 3'000);
    fresh.setup(1).peers[0].port = std::to_string(proxy.port());
    fresh.setup(0).peers[0].port = std::to_string(wall.port());
    for (const NodeId node : {0u, 1u}) {
      fresh.setup(node).reserves = std::move(fresh.setup(node).peers);
      fresh.setup(node).peers.clear();
      fresh.setup(node).deadline = 60s;
    }
    const auto stays = fresh.open(0);
    const auto parts = fresh.open(1);
    parts->reach(0);
    expect_next(*parts, Kind::kPeerBack);
    for (Round round = 0; round < 20; ++round)
      parts->send(0, round, message_of(500, 1));
    parts->part_from(0);
    expect_next(*stays, Kind::kPeerBack);
    for (Round round = 0; round < 20; ++round)
      expect_next(*stays, Kind::kMessage, round);
    const Arrival parted = next(*stays);
    EXPECT_EQ(parted.kind, Kind::kPeerLost);
    EXPECT_EQ(parted.reason, kPartedReason);
    while (parts->links()[0].unconfirmed_bytes > 0)
      let_live(*parts);
    expect_nothing(*stays);
  }
}

// It may have been cut off for long: nothing is kept for it.
TEST_P(TlsReserves, ThatAreLostAreCalledOnlyByWhoAsked) {
  neighbourhood_.setup(0).deadline = 200ms;
  auto asks = neighbourhood_.open(1);
  const auto asked = neighbourhood_.open(0);
  asks->reach(0);
  expect_conversation(*asks, *asked);
  asks->abandon();
  asks.reset();
  expect_next(*asked, Kind::kPeerLost);
  asks = neighbourhood_.open(1);
  expect_nothing(*asked);
  expect_nothing(*asks);
  asked->reach(1);
  expect_conversation(*asked, *asks);
}

// A peer from the beginning can be parted from, too.
TEST_P(TlsReserves, ArePeersThatWerePartedFrom) {
  Neighbourhood peers(2, GetParam());
  const auto a = peers.open(0);
  const auto b = peers.open(1);
  exchange(*a, *b);
  a->part_from(1);
  const Arrival parted = next(*b);
  EXPECT_EQ(parted.reason, kPartedReason);
  while (a->links()[0].is_up || b->links()[0].is_up) {
    let_live(*a);
    let_live(*b);
  }
  expect_nothing(*b);
  b->reach(0);
  expect_conversation(*b, *a);
}

TEST(TlsReserveSetups, ThatCannotBeAreRefused) {
  TlsSetup setup;
  setup.self = 1;
  setup.size = 3;
  setup.reserves = {{1, "127.0.0.1", "1"}};
  EXPECT_FALSE(open_tls(setup)) << "itself";
  setup.reserves = {{2, "127.0.0.1", "1"}};
  setup.peers = {{2, "127.0.0.1", "1"}};
  EXPECT_NE(open_tls(setup).error().message.find("twice among the peers and reserves"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Worlds, TlsReserves, ::testing::Values(Wires::kTls, Wires::kTcp),
                         [](const auto& wires) {
                           return std::string(wires.param == Wires::kTls ? "tls" : "tcp");
                         });

}  // namespace
}  // namespace gossamer::testing
