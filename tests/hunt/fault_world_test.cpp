// Links and processes on a virtual clock: what docs/links.md promises of real ones.
#include "gossamer/hunt/world/fault_world.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;

constexpr Duration kDeadline = seconds(3);

FaultLinksSetup links(NodeId size, std::uint64_t seed = 1) {
  return {.size = size, .seed = seed, .deadline = kDeadline};
}

Message message_of(std::uint8_t number) {
  ByteWriter out = Message::writer();
  out.write(number);
  return Message(std::move(out));
}

/// What arrives until this time, a word for each.
std::vector<std::string> listen_until(Network& network, Time end) {
  std::vector<std::string> heard;
  for (;;) {
    const Arrival arrival = network.receive(end);
    switch (arrival.kind) {
      case Arrival::Kind::kTimedOut:
        return heard;
      case Arrival::Kind::kMessage:
        heard.push_back(fmt::format("{}", arrival.message.payload()[0]));
        break;
      case Arrival::Kind::kAside:
        heard.emplace_back("aside");
        break;
      case Arrival::Kind::kPeerLost:
        heard.emplace_back(arrival.reason.empty() ? "goodbye" : "lost");
        break;
      case Arrival::Kind::kPeerBack:
        heard.emplace_back("back");
        break;
    }
  }
}

/// Sends a number every second, and then waits.
void count(Network& network, std::uint8_t last) {
  for (std::uint8_t number = 1; number <= last; ++number) {
    network.send(1 - network.self(), 0, message_of(number));
    network.spend(seconds(1));
  }
  (void)listen_until(network, Time{} + seconds(60));
}

/// What node 1 hears within 20 s of node 0, who counts to 5.
std::vector<std::string> heard_of_counting(const std::function<void(FaultWorld&)>& faults) {
  FaultWorld world(links(2));
  std::vector<std::string> heard;
  world.start(0, [](Network& network) { count(network, 5); });
  world.start(1, [&](Network& network) { heard = listen_until(network, Time{} + seconds(20)); });
  faults(world);
  EXPECT_EQ(world.run(Time{} + seconds(100)), FaultWorld::End::kAllEnded);
  return heard;
}

TEST(FaultWorld, DeliversInOrder) {
  EXPECT_THAT(heard_of_counting([](FaultWorld&) {}), ElementsAre("1", "2", "3", "4", "5"));
}

TEST(FaultWorld, ACutWithinTheDeadlineLosesNothing) {
  const auto heard = heard_of_counting([](FaultWorld& world) {
    world.clock().at(Time{} + milliseconds(1500), [&] { world.cut(0, 1); });
    world.clock().at(Time{} + milliseconds(3500), [&] { world.heal(0, 1); });
  });
  EXPECT_THAT(heard, ElementsAre("1", "2", "3", "4", "5"));
}

TEST(FaultWorld, ALongerOneLosesWhatWasUnderWay) {
  const auto heard = heard_of_counting([](FaultWorld& world) {
    world.clock().at(Time{} + milliseconds(1500), [&] { world.cut(0, 1); });
    world.clock().at(Time{} + seconds(10), [&] { world.heal(0, 1); });
  });
  EXPECT_THAT(heard, ElementsAre("1", "2", "lost", "back"));
}

TEST(FaultWorld, AKilledPeerIsLostAfterTheDeadline) {
  const auto heard = heard_of_counting([](FaultWorld& world) {
    world.clock().at(Time{} + milliseconds(1500), [&] { world.kill(0); });
  });
  EXPECT_THAT(heard, ElementsAre("1", "2", "lost"));
}

TEST(FaultWorld, OneThatStartsAgainIsLostAndBackAtOnce) {
  const auto heard = heard_of_counting([](FaultWorld& world) {
    world.clock().at(Time{} + milliseconds(1500), [&] {
      world.kill(0);
      world.start(0, [](Network& network) { count(network, 2); });
    });
  });
  EXPECT_THAT(heard, ElementsAre("1", "2", "lost", "back", "1", "2"));
}

TEST(FaultWorld, APausedPeerThatIsBackInTimeIsNotMissed) {
  const auto heard = heard_of_counting([](FaultWorld& world) {
    world.clock().at(Time{} + milliseconds(1500), [&] { world.pause(0); });
    world.clock().at(Time{} + milliseconds(3500), [&] { world.resume(0); });
  });
  EXPECT_THAT(heard, ElementsAre("1", "2", "3", "4", "5"));
}

TEST(FaultWorld, APeerThatEndsSaysGoodbyeBehindItsMessages) {
  FaultWorld world(links(2));
  std::vector<std::string> heard;
  world.start(0, [](Network& network) {
    (void)listen_until(network, Time{} + seconds(1));
    network.send(1, 0, message_of(7));
  });
  world.start(1, [&](Network& network) { heard = listen_until(network, Time{} + seconds(5)); });
  EXPECT_EQ(world.run(Time{} + seconds(100)), FaultWorld::End::kAllEnded);
  EXPECT_THAT(heard, ElementsAre("7", "goodbye"));
}

TEST(FaultWorld, NoticesANodeThatSpins) {
  FaultWorld world(links(1));
  world.start(0, [](Network& network) {
    for (;;)
      (void)network.receive(Time{});
  });
  EXPECT_EQ(world.run(Time{} + seconds(1)), FaultWorld::End::kSpins);
}

TEST(FaultWorld, HandsOnWhatAProcessThrows) {
  FaultWorld world(links(1));
  world.start(0, [](Network&) { throw std::runtime_error("a bug"); });
  EXPECT_THROW((void)world.run(Time{} + seconds(1)), std::runtime_error);
}

}  // namespace
}  // namespace gossamer
