// The laws of network/network.hpp, for every world.

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/network/world.hpp"
#include <gtest/gtest.h>

#include "gossamer/base/message_pool.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer {
namespace {

using testing::World;

class NetworkLaw : public ::testing::TestWithParam<World> {
 protected:
  static void run(NodeId size, const std::function<void(Network&)>& node_main) {
    GetParam().run(size, node_main);
  }
};

using testing::message_of;
using testing::next;

TEST_P(NetworkLaw, KnowsWhoIsWho) {
  std::vector<int> seen(5, 0);
  run(5, [&](Network& network) {
    EXPECT_EQ(network.size(), 5u);
    ++seen[network.self()];
  });
  for (NodeId id = 0; id < 5; ++id)
    EXPECT_EQ(seen[id], GetParam().is_here(id) ? 1 : 0);
}

TEST_P(NetworkLaw, MessagesOfOnePeerArriveInOrder) {
  constexpr int kMessages = 2000;
  run(3, [](Network& network) {
    if (network.self() != 2) {
      for (int i = 0; i < kMessages; ++i)
        network.send(2, static_cast<Round>(i), message_of(1, static_cast<std::uint8_t>(i)));
      return;
    }
    Round expected[2] = {0, 0};
    for (int i = 0; i < 2 * kMessages;) {
      const Arrival arrival = next(network);
      if (arrival.kind != Arrival::Kind::kMessage) continue;
      ASSERT_EQ(arrival.round, expected[arrival.from]++);
      ASSERT_EQ(arrival.message.payload()[0], static_cast<std::uint8_t>(arrival.round));
      ++i;
    }
  });
}

TEST_P(NetworkLaw, AsidesKeepTheirPlaceAndAreCountedApart) {
  run(2, [](Network& network) {
    if (network.self() == 0) {
      network.send(1, 3, message_of(10, 1));
      network.send_aside(1, 4, message_of(20, 2));
      network.send(1, 5, message_of(30, 3));
      EXPECT_EQ(network.traffic(), (Traffic{2, 40, 2 * kFrameHeaderSize, 20 + kFrameHeaderSize}));
      EXPECT_EQ(network.traffic().bytes(), 40 + 2 * kFrameHeaderSize);
      return;
    }
    const Arrival first = next(network);
    const Arrival aside = next(network);
    const Arrival last = next(network);
    EXPECT_EQ(first.kind, Arrival::Kind::kMessage);
    EXPECT_EQ(aside.kind, Arrival::Kind::kAside);
    EXPECT_EQ(aside.from, 0u);
    EXPECT_EQ(aside.round, 4u);
    EXPECT_EQ(aside.message.payload().size(), 20u);
    EXPECT_EQ(last.kind, Arrival::Kind::kMessage);
    EXPECT_EQ(last.round, 5u);
  });
}

TEST_P(NetworkLaw, CarriesEmptyAndLargeMessages) {
  run(2, [](Network& network) {
    const std::size_t sizes[] = {0, 1, 100'000'000};
    if (network.self() == 0) {
      for (const std::size_t size : sizes)
        network.send(1, 0, message_of(size, 0x5A));
      return;
    }
    for (const std::size_t size : sizes) {
      const Arrival arrival = next(network);
      ASSERT_EQ(arrival.kind, Arrival::Kind::kMessage);
      ASSERT_EQ(arrival.message.payload().size(), size);
      EXPECT_TRUE(std::ranges::all_of(arrival.message.payload(),
                                      [](std::uint8_t byte) { return byte == 0x5A; }));
    }
  });
}

TEST_P(NetworkLaw, EveryoneCanTalkToEveryone) {
  const NodeId nodes = GetParam().most_nodes;
  run(nodes, [nodes](Network& network) {
    for (NodeId peer = 0; peer < nodes; ++peer) {
      if (peer != network.self()) network.send(peer, network.self(), message_of(8, 1));
    }
    std::vector<int> heard(nodes, 0);
    for (NodeId i = 0; i + 1 < nodes;) {
      const Arrival arrival = next(network);
      if (arrival.kind != Arrival::Kind::kMessage) continue;
      EXPECT_EQ(arrival.round, arrival.from);
      ++heard[arrival.from];
      ++i;
    }
    heard[network.self()] = 1;
    EXPECT_EQ(heard, std::vector<int>(nodes, 1));
  });
}

TEST_P(NetworkLaw, APeerThatEndsEarlyIsReportedAfterAllThatItSent) {
  run(2, [](Network& network) {
    if (network.self() == 0) {
      for (Round round = 0; round < 10; ++round)
        network.send(1, round, message_of(3, 7));
      return;
    }
    for (Round round = 0; round < 10; ++round) {
      const Arrival arrival = next(network);
      ASSERT_EQ(arrival.kind, Arrival::Kind::kMessage);
      EXPECT_EQ(arrival.round, round);
    }
    const Arrival last = next(network);
    EXPECT_EQ(last.kind, Arrival::Kind::kPeerLost);
    EXPECT_EQ(last.from, 0u);
    EXPECT_EQ(network.receive(network.now()).kind, Arrival::Kind::kTimedOut) << "reported once";
  });
}

TEST_P(NetworkLaw, APeerThatFailsReleasesAllWhoWait) {
  const auto everyone_waits_for_node_0 = [](Network& network) {
    if (network.self() == 0) throw std::runtime_error("node 0 broke");
    for (;;) {
      const Arrival arrival = next(network);
      if (arrival.kind == Arrival::Kind::kPeerLost && arrival.from == 0) return;
    }
  };
  if (!GetParam().is_here(0)) return run(4, everyone_waits_for_node_0);
  EXPECT_THROW(
      {
        try {
          run(4, everyone_waits_for_node_0);
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "node 0 broke");
          throw;
        }
      },
      std::runtime_error);
}

TEST_P(NetworkLaw, ADeadlineEndsTheWait) {
  run(1, [](Network& network) {
    const Time deadline = network.now() + Duration(1'000'000);
    EXPECT_EQ(network.receive(deadline).kind, Arrival::Kind::kTimedOut);
    EXPECT_GE(network.now(), deadline);
    EXPECT_EQ(network.receive(Time{}).kind, Arrival::Kind::kTimedOut) << "a deadline in the past";
  });
}

TEST_P(NetworkLaw, TimeNeverGoesBack) {
  run(1, [](Network& network) {
    Time before = network.now();
    for (int i = 0; i < 1000; ++i) {
      network.spend(Duration(10));
      const Time now = network.now();
      ASSERT_GE(now, before);
      before = now;
    }
  });
}

TEST_P(NetworkLaw, TrafficCountsEveryFrameSent) {
  run(3, [](Network& network) {
    EXPECT_EQ(network.traffic(), Traffic{});
    if (network.self() == 0) {
      network.send(1, 0, message_of(100, 1));
      network.send(2, 0, message_of(23, 1));
      EXPECT_EQ(network.traffic(), (Traffic{2, 123, 2 * kFrameHeaderSize}));
      EXPECT_EQ(network.traffic().bytes(), 123 + 2 * kFrameHeaderSize);
    }
  });
}

TEST_P(NetworkLaw, ANodeCannotTalkToItselfOrToNobody) {
  run(2, [](Network& network) {
    EXPECT_THROW(network.send(network.self(), 0, message_of(1, 1)), ContractViolation);
    EXPECT_THROW(network.send(2, 0, message_of(1, 1)), ContractViolation);
    EXPECT_EQ(network.traffic(), Traffic{});
  });
}

// Whether they do anything depends on the world; here everybody is connected with everybody.
TEST_P(NetworkLaw, ReachingAPeerThatIsConnectedChangesNothing) {
  run(2, [](Network& network) {
    const NodeId peer = 1 - network.self();
    EXPECT_THROW(network.reach(network.self()), ContractViolation);
    EXPECT_THROW(network.part_from(2), ContractViolation);
    network.reach(peer);
    network.send(peer, 7, message_of(1, 1));
    network.reach(peer);
    EXPECT_EQ(next(network).round, 7u);
  });
}

// A buffer comes back when its last reader, on another thread, has let go of it.
TEST_P(NetworkLaw, ReusedBuffersAreNeverOverwrittenWhileSomebodyReads) {
  constexpr Round kRounds = 500;
  run(2, [](Network& network) {
    const NodeId peer = 1 - network.self();
    MessagePool pool;
    for (Round round = 0; round < kRounds; ++round) {
      network.send(peer, round, pool.make([&](ByteWriter& out) {
        for (int i = 0; i < 100; ++i)
          out.write(round);
      }));
      const Arrival arrival = next(network);
      ASSERT_EQ(arrival.kind, Arrival::Kind::kMessage);
      ByteReader reader(arrival.message.payload());
      for (int i = 0; i < 100; ++i)
        ASSERT_EQ(reader.read<Round>(), round);
    }
    EXPECT_LE(pool.size(), 4u) << "both ends are at most a round apart";
  });
}

INSTANTIATE_TEST_SUITE_P(Worlds, NetworkLaw, ::testing::ValuesIn(testing::worlds()),
                         [](const auto& world) { return world.param.name; });

}  // namespace
}  // namespace gossamer
