// Both ends of a link call: calls that cross, peers that moved, and peers that cannot be called.

#include <barrier>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "tests/links/call_exchange.hpp"
#include "tests/network/cutting_proxy.hpp"
#include "tests/network/tls_world.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using namespace std::chrono_literals;
using Kind = Arrival::Kind;

class TlsCalling : public ::testing::TestWithParam<Wires> {};

std::string lines_of(const Told& told) {
  return fmt::format("{}", fmt::join(told.lines(), "\n"));
}

/// Two nodes whose calls go through an exchange. Both send and receive; nothing but messages comes.
void talk_through(CallExchange& exchange, Neighbourhood& neighbourhood, Round rounds,
                  const std::function<void(TlsNetwork&)>& in_the_end) {
  for (const NodeId node : {0u, 1u}) {
    neighbourhood.setup(node).peers[0].port =
        std::to_string(exchange.port_of(1 - static_cast<int>(node)));
  }
  std::barrier both_are_done(2);
  const auto talk = [&](NodeId self) {
    const auto network = neighbourhood.open(self);
    for (Round round = 0; round < rounds; ++round) {
      const std::size_t size = round % 50 == 49 ? 40'000 : (round * 37) % 700;
      network->send(1 - self, round, message_of(size, 7));
    }
    for (Round round = 0; round < rounds; ++round) {
      const Arrival arrival = next(*network);
      EXPECT_EQ(arrival.kind, Kind::kMessage) << arrival.reason;
      EXPECT_EQ(arrival.round, round);
    }
    in_the_end(*network);
    both_are_done.arrive_and_wait();
  };
  std::jthread other([&] { talk(1); });
  talk(0);
}

TEST_P(TlsCalling, CallsThatCrossLeaveOneLinkInWhateverOrderTheyArrive) {
  int crossed = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    SCOPED_TRACE(seed);
    Neighbourhood neighbourhood(2, GetParam());
    CallExchange exchange(neighbourhood.port(0), neighbourhood.port(1), seed, 0);
    talk_through(exchange, neighbourhood, 60, [&](TlsNetwork& network) {
      while (exchange.open() > 1)
        ASSERT_EQ(network.receive(network.now() + 1ms).kind, Kind::kTimedOut);
      EXPECT_EQ(network.links()[0].reconnects, 0u);
      EXPECT_TRUE(network.links()[0].is_up);
    });
    crossed += exchange.calls() == 2 ? 1 : 0;
    for (const NodeId node : {0u, 1u}) {
      EXPECT_EQ(lines_of(neighbourhood.told(node)), "") << "nobody notices anything";
    }
  }
  EXPECT_EQ(crossed, 16) << "each called once, and nobody had to call again";
}

TEST_P(TlsCalling, CallsThatCrossAndAreCutLoseNothingAndRepeatNothing) {
  int cuts = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    Neighbourhood neighbourhood(2, GetParam());
    // Some die in the handshake, some between the two hellos, some later.
    CallExchange exchange(neighbourhood.port(0), neighbourhood.port(1), seed,
                          GetParam() == Wires::kTls ? 8'000 : 1'500);
    talk_through(exchange, neighbourhood, 60, [](TlsNetwork&) {});
    cuts += exchange.cuts();
    for (const NodeId node : {0u, 1u}) {
      EXPECT_FALSE(neighbourhood.told(node).has("lost")) << lines_of(neighbourhood.told(node));
      EXPECT_FALSE(neighbourhood.told(node).has("repeated"));
      EXPECT_FALSE(neighbourhood.told(node).has("connected from"));
    }
  }
  EXPECT_GT(cuts, 20);
}

// Whichever id it has: its own port leads nowhere, and it calls.
TEST_P(TlsCalling, APeerThatCannotBeCalledFromOutsideCallsItself) {
  for (const NodeId hidden : {0u, 1u}) {
    SCOPED_TRACE(hidden);
    Neighbourhood neighbourhood(2, GetParam());
    const DeadPort wall;
    CuttingProxy way_out(neighbourhood.port(1 - hidden), 1, 20'000);
    neighbourhood.setup(1 - hidden).peers[0].port = std::to_string(wall.port());
    neighbourhood.setup(hidden).peers[0].port = std::to_string(way_out.port());
    const auto outside = neighbourhood.open(1 - hidden);
    const auto inside = neighbourhood.open(hidden);
    for (Round round = 0; round < 100; ++round) {
      inside->send(1 - hidden, round, message_of(1000, 1));
      const Arrival arrival = next(*outside);
      ASSERT_EQ(arrival.kind, Kind::kMessage) << arrival.reason;
      ASSERT_EQ(arrival.round, round);
      outside->send(hidden, round, message_of(1000, 1));
      ASSERT_EQ(next(*inside).round, round);
    }
    EXPECT_GT(way_out.cuts(), 3);
    way_out.heal();
  }
}

// Its old port is somebody else's now; what the others have in their files is never changed.
TEST_P(TlsCalling, APeerThatMovedAndStartedAnewCallsFromItsNewPlace) {
  for (const NodeId moves : {0u, 1u}) {
    SCOPED_TRACE(moves);
    const NodeId stays = 1 - moves;
    Neighbourhood neighbourhood(2, GetParam());
    const auto network = neighbourhood.open(stays);
    {
      const auto first = neighbourhood.open(moves);
      first->send(stays, 1, message_of(10, 1));
      ASSERT_EQ(next(*network).round, 1u);
      first->abandon();
    }
    const TlsListener taken =
        TlsListener::bind("127.0.0.1", std::to_string(neighbourhood.port(moves))).value();
    neighbourhood.setup(moves).listen_port = "0";
    const auto moved = neighbourhood.open(moves);
    moved->send(stays, 2, message_of(10, 1));
    EXPECT_EQ(next(*network).kind, Kind::kPeerLost);
    EXPECT_EQ(next(*network).kind, Kind::kPeerBack);
    EXPECT_EQ(next(*network).round, 2u);
    network->send(moves, 3, message_of(10, 1));
    EXPECT_EQ(next(*moved).round, 3u);
  }
}

// The link itself moves: another address, the same run.
TEST_P(TlsCalling, APeerWhoseAddressChangesWhileItRunsLosesNothing) {
  Neighbourhood neighbourhood(2, GetParam());
  neighbourhood.setup(0).deadline = neighbourhood.setup(1).deadline = 2s;
  const DeadPort wall;
  auto old_way = std::make_unique<CuttingProxy>(neighbourhood.port(1), 1, 0);
  neighbourhood.setup(0).peers[0].port = std::to_string(old_way->port());
  neighbourhood.setup(1).peers[0].port = std::to_string(wall.port());
  const auto moves = neighbourhood.open(0);
  const auto stays = neighbourhood.open(1);
  moves->send(1, 1, message_of(10, 1));
  ASSERT_EQ(next(*stays).round, 1u);
  // The old connection is dead and says nothing; the caller finds out, and calls again.
  old_way->fall_silent();
  stays->send(0, 2, message_of(10, 1));
  while (!neighbourhood.told(0).has("link to node 1 is down"))
    ASSERT_EQ(moves->receive(moves->now() + 1ms).kind, Kind::kTimedOut);
  old_way->speak_again();
  const Arrival arrival = next(*moves);
  EXPECT_EQ(arrival.kind, Kind::kMessage) << arrival.reason;
  EXPECT_EQ(arrival.round, 2u);
}

INSTANTIATE_TEST_SUITE_P(Worlds, TlsCalling, ::testing::Values(Wires::kTls, Wires::kTcp),
                         [](const auto& wires) {
                           return std::string(wires.param == Wires::kTls ? "tls" : "tcp");
                         });

}  // namespace
}  // namespace gossamer::testing
