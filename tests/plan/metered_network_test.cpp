#include "gossamer/plan/metered_network.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "gossamer/network/sim/sim.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

// A processor's clock that goes on only when a test says so.
Duration worked{};

Duration fake_clock() {
  return worked;
}

Message three_bytes() {
  ByteWriter writer = Message::writer();
  (void)writer.extend(3);
  return Message(std::move(writer));
}

TEST(MeteredNetwork, TellsWorkBeforeTheLastMessageFromWorkAfterIt) {
  ASSERT_TRUE(run_sim(2, {}, [](Network& world) {
    if (world.self() == 1) return;
    MeteredNetwork network(world, fake_clock);
    worked += 1s;
    network.send(1, 0, three_bytes());
    worked += 2s;
    network.send(1, 0, three_bytes());
    worked += 4s;
    const MeteredNetwork::Work work = network.take();
    EXPECT_EQ(work.until_sent, 3s);
    EXPECT_EQ(work.after, 4s);
    EXPECT_EQ(work.messages, 2u);
    EXPECT_EQ(work.payload_bytes, 6u);
    worked += 8s;
    EXPECT_EQ(network.take().after, 8s) << "what was taken is gone";
  }));
}

TEST(MeteredNetwork, DoesNotCountWhatOthersDoMeanwhile) {
  ASSERT_TRUE(run_sim(2, {}, [](Network& world) {
    if (world.self() == 1) {
      world.spend(1s);
      worked += 100s;  // while node 0 waits
      return world.send(0, 0, three_bytes());
    }
    MeteredNetwork network(world, fake_clock);
    worked += 1s;
    EXPECT_EQ(network.receive(Time::max()).kind, Arrival::Kind::kMessage);
    worked += 2s;
    EXPECT_EQ(network.take().after, 3s);
  }));
}

}  // namespace
}  // namespace gossamer
