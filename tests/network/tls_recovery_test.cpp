// Links that break and heal, peers that vanish and come back.

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "tests/network/cutting_proxy.hpp"
#include "tests/network/tls_world.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using namespace std::chrono_literals;
using Kind = Arrival::Kind;

class TlsRecovery : public ::testing::TestWithParam<Wires> {};

// Messages of many sizes, so that cuts fall into headers, payloads and between frames.
std::size_t size_of(Round round) {
  return round % 50 == 49 ? 40'000 : (round * 37) % 700;
}

// Node 1 calls node 0 through the proxy; node 0 calls it in vain.
void put_between(CuttingProxy& proxy, Neighbourhood& neighbourhood) {
  static const DeadPort wall;
  neighbourhood.setup(1).peers[0].port = std::to_string(proxy.port());
  neighbourhood.setup(0).peers[0].port = std::to_string(wall.port());
}

TEST_P(TlsRecovery, ALinkThatIsCutAndHealsLosesNothingAndRepeatsNothing) {
  constexpr Round kRounds = 3000;
  Neighbourhood neighbourhood(2, GetParam());
  CuttingProxy proxy(neighbourhood.port(0), 1, 120'000);
  put_between(proxy, neighbourhood);
  const auto talk = [&](NodeId self) {
    const auto network = neighbourhood.open(self);
    Round received = 0;
    const auto take = [&](const Arrival& arrival) {
      ASSERT_EQ(arrival.kind, Kind::kMessage);
      ASSERT_EQ(arrival.round, received);
      ASSERT_EQ(arrival.message.payload().size(), size_of(received));
      ++received;
    };
    for (Round round = 0; round < kRounds; ++round) {
      network->send(1 - self, round, message_of(size_of(round), 7));
      // Some way behind, so that much is under way when a cut comes.
      while (received + 20 < round)
        ASSERT_NO_FATAL_FAILURE(take(next(*network)));
    }
    while (received < kRounds)
      ASSERT_NO_FATAL_FAILURE(take(next(*network)));
    // A cut in the very last moment would leave one end waiting for the other's receipt.
    proxy.heal();
  };
  std::jthread other([&] { talk(1); });
  talk(0);
  other.join();
  EXPECT_GT(proxy.cuts(), 10);
  EXPECT_TRUE(neighbourhood.told(0).has("link to node 1 is down"));
  EXPECT_TRUE(neighbourhood.told(0).has("link to node 1 is up again"));
  EXPECT_FALSE(neighbourhood.told(0).has("lost"));
  for (const Event& up : neighbourhood.told(0).events(EventKind::kLinkUp)) {
    EXPECT_EQ(std::get<LinkUp>(up.what).peer, 1u);
    EXPECT_GE(std::get<LinkUp>(up.what).seconds_down, 0.0);
  }
}

TEST_P(TlsRecovery, APeerThatStartsAnewIsLostAndThenBack) {
  Neighbourhood neighbourhood(2, GetParam());
  const auto stays = neighbourhood.open(0);
  auto restarts = neighbourhood.open(1);
  restarts->send(0, 1, message_of(10, 1));
  ASSERT_EQ(next(*stays).round, 1u);
  stays->send(1, 2, message_of(10, 2));
  ASSERT_EQ(next(*restarts).round, 2u);
  restarts->abandon();
  restarts.reset();
  stays->send(1, 3, message_of(10, 3));
  restarts = neighbourhood.open(1);

  const Arrival lost = next(*stays);
  EXPECT_EQ(lost.kind, Kind::kPeerLost);
  EXPECT_EQ(lost.from, 1u);
  EXPECT_EQ(lost.reason, "it started anew");
  stays->send(1, 4, message_of(10, 4));
  EXPECT_EQ(next(*stays).kind, Kind::kPeerBack);
  stays->send(1, 5, message_of(10, 5));
  restarts->send(0, 6, message_of(10, 6));
  EXPECT_EQ(next(*restarts).round, 5u) << "3 and 4 were for another life of this peer";
  EXPECT_EQ(next(*stays).round, 6u);
  EXPECT_TRUE(neighbourhood.told(0).has("node 1 is lost: it started anew"));
  EXPECT_TRUE(neighbourhood.told(0).has("node 1 is back"));
}

TEST_P(TlsRecovery, WhatIsToldHasTheRoundOfTheLastFrameAndTheTimeOfTheNetwork) {
  Neighbourhood neighbourhood(2, GetParam());
  const auto stays = neighbourhood.open(0);
  auto restarts = neighbourhood.open(1);
  stays->send(1, 7, message_of(10, 2));
  ASSERT_EQ(next(*restarts).round, 7u);
  const Time before = stays->now();
  restarts->abandon();
  restarts.reset();
  restarts = neighbourhood.open(1);
  ASSERT_EQ(next(*stays).kind, Kind::kPeerLost);
  ASSERT_EQ(next(*stays).kind, Kind::kPeerBack);
  const Time after = stays->now();
  const std::vector<Event> events = neighbourhood.told(0).events();
  ASSERT_FALSE(events.empty());
  for (const Event& event : events) {
    EXPECT_EQ(event.node, 0u);
    EXPECT_EQ(event.round, 7u);
    EXPECT_GE(event.time, before);
    EXPECT_LE(event.time, after);
  }
  const What lost = PeerLost{1, "it started anew"};
  const What back = PeerBack{1};
  EXPECT_EQ(neighbourhood.told(0).events(EventKind::kPeerLost).at(0).what, lost);
  EXPECT_EQ(neighbourhood.told(0).events(EventKind::kPeerBack).at(0).what, back);
}

// The one who calls notices it by the answer.
TEST_P(TlsRecovery, ThePeerThatIsCalledCanStartAnewToo) {
  Neighbourhood neighbourhood(2, GetParam());
  auto restarts = neighbourhood.open(0);
  const auto stays = neighbourhood.open(1);
  restarts->send(1, 1, message_of(10, 1));
  ASSERT_EQ(next(*stays).round, 1u);
  restarts->abandon();
  restarts.reset();
  restarts = neighbourhood.open(0);
  restarts->send(1, 2, message_of(10, 2));
  EXPECT_EQ(next(*stays).kind, Kind::kPeerLost);
  EXPECT_EQ(next(*stays).kind, Kind::kPeerBack);
  EXPECT_EQ(next(*stays).round, 2u);
}

TEST_P(TlsRecovery, APeerThatEndedAndComesBackIsReportedAsSuch) {
  Neighbourhood neighbourhood(2, GetParam());
  const auto stays = neighbourhood.open(1);
  neighbourhood.open(0)->send(1, 1, message_of(10, 1));
  EXPECT_EQ(next(*stays).round, 1u);
  const Arrival ended = next(*stays);
  EXPECT_EQ(ended.kind, Kind::kPeerLost);
  EXPECT_EQ(ended.reason, "");
  neighbourhood.open(0)->send(1, 2, message_of(10, 1));
  EXPECT_EQ(next(*stays).kind, Kind::kPeerBack);
  EXPECT_EQ(next(*stays).round, 2u);
  EXPECT_EQ(next(*stays).kind, Kind::kPeerLost);
}

TEST_P(TlsRecovery, APeerThatVanishesIsLostAfterTheDeadline) {
  Neighbourhood neighbourhood(2, GetParam());
  neighbourhood.setup(1).deadline = 300ms;
  const auto stays = neighbourhood.open(1);
  auto vanishes = neighbourhood.open(0);
  vanishes->send(1, 1, message_of(10, 1));
  ASSERT_EQ(next(*stays).round, 1u);
  vanishes->abandon();
  vanishes.reset();
  const Arrival lost = next(*stays);
  EXPECT_EQ(lost.kind, Kind::kPeerLost);
  EXPECT_NE(lost.reason.find(" for "), std::string::npos) << lost.reason;
  stays->send(0, 2, message_of(10, 1));
}

// Whether it called us or we called it.
TEST_P(TlsRecovery, ASilentPeerIsLost) {
  for (const NodeId self : {0u, 1u}) {
    SCOPED_TRACE(self);
    const NodeId other = 1 - self;
    Neighbourhood neighbourhood(2, GetParam());
    CuttingProxy proxy(neighbourhood.port(0), 1, 0);
    put_between(proxy, neighbourhood);
    neighbourhood.setup(self).deadline = 300ms;
    const auto silent = neighbourhood.open(other);
    const auto network = neighbourhood.open(self);
    silent->send(self, 1, message_of(10, 1));
    ASSERT_EQ(next(*network).round, 1u);
    proxy.fall_silent();
    const Arrival lost = next(*network);
    EXPECT_EQ(lost.kind, Kind::kPeerLost);
    EXPECT_NE(lost.reason.find(" for "), std::string::npos) << lost.reason;
    EXPECT_TRUE(neighbourhood.told(self).has("link to node " + std::to_string(other) +
                                             " is down: it was silent"));
    silent->abandon();
  }
}

TEST_P(TlsRecovery, APeerThatNeverComesIsLostAfterTheStartDeadline) {
  Neighbourhood neighbourhood(2, GetParam());
  neighbourhood.setup(0).start_deadline = 50ms;
  neighbourhood.setup(0).deadline = 50ms;
  const auto waits = neighbourhood.open(0);
  const Arrival lost = next(*waits);
  EXPECT_EQ(lost.kind, Kind::kPeerLost);
  EXPECT_NE(lost.reason.find(" for "), std::string::npos) << lost.reason;
  const auto late = neighbourhood.open(1);
  EXPECT_EQ(next(*waits).kind, Kind::kPeerBack);
  waits->send(1, 4, message_of(1, 1));
  EXPECT_EQ(next(*late).round, 4u);
}

TEST_P(TlsRecovery, APeerThatIsNotThereIsTroubleUntilItComes) {
  Neighbourhood neighbourhood(2, GetParam());
  const auto waits = neighbourhood.open(0);
  ASSERT_EQ(waits->troubles().size(), 1u);
  EXPECT_EQ(waits->troubles().front().peer, 1u);
  EXPECT_NE(waits->troubles().front().reason, "");
  const auto late = neighbourhood.open(1);
  late->send(0, 4, message_of(1, 1));
  EXPECT_EQ(next(*waits).round, 4u);
  EXPECT_TRUE(waits->troubles().empty());
}

// It would wait for the deadline.
TEST_P(TlsRecovery, APeerThatNeverCameCanBeForgotten) {
  Neighbourhood neighbourhood(2, GetParam());
  neighbourhood.setup(0).deadline = 1h;
  const auto waits = neighbourhood.open(0);
  waits->send_aside(1, 0, message_of(10, 1));
  waits->forget_absent();
  EXPECT_TRUE(neighbourhood.told(0).events().empty()) << "nobody is told of a loss";
}

// Asides still come: they are how peers find out which of their settings differs.
TEST_P(TlsRecovery, APeerWithOtherSettingsIsLostAtItsFirstMessage) {
  Neighbourhood neighbourhood(2, GetParam());
  neighbourhood.setup(0).run = 0xC0FFEE;
  neighbourhood.setup(1).run = 0xBEEF;
  const auto network = neighbourhood.open(0);
  const auto other = neighbourhood.open(1);
  other->send_aside(0, 1, message_of(10, 1));
  other->send(0, 1, message_of(10, 1));
  EXPECT_EQ(next(*network).kind, Kind::kAside);
  const Arrival lost = next(*network);
  EXPECT_EQ(lost.kind, Kind::kPeerLost);
  EXPECT_EQ(lost.reason,
            "it runs with other settings than this node (set-up 0000beef there, 00c0ffee here)");
  EXPECT_TRUE(neighbourhood.told(0).has("node 1 is lost: it runs with other settings"));
  // Neither waits for the other to confirm what it will never take.
  other->abandon();
  network->abandon();
}

TEST_P(TlsRecovery, PeersWithTheSameSettingsTakeEachOthersMessages) {
  Neighbourhood neighbourhood(2, GetParam());
  for (const NodeId node : {0u, 1u})
    neighbourhood.setup(node).run = 0xC0FFEE;
  const auto a = neighbourhood.open(0);
  const auto b = neighbourhood.open(1);
  a->send(1, 1, message_of(10, 1));
  b->send(0, 2, message_of(100'000, 1));
  EXPECT_EQ(next(*b).round, 1u);
  EXPECT_EQ(next(*a).round, 2u);
}

TEST_P(TlsRecovery, PeersCanBeNamedAndListenOnAllAddresses) {
  Neighbourhood neighbourhood(2, GetParam());
  TlsListener everywhere = TlsListener::bind("", "0").value();
  neighbourhood.setup(1).peers[0] = {0, "localhost", std::to_string(everywhere.port())};
  const auto named = open_tls(neighbourhood.setup(0), std::move(everywhere));
  ASSERT_TRUE(named) << named.error().message;
  const auto calls = neighbourhood.open(1);
  calls->send(0, 1, message_of(10, 1));
  EXPECT_EQ(next(*named.value()).round, 1u);
}

TEST_P(TlsRecovery, LinksKnowTheirBytesAndTheirRoundTrip) {
  Neighbourhood neighbourhood(2, GetParam());
  const auto a = neighbourhood.open(0);
  const auto b = neighbourhood.open(1);
  a->send(1, 1, message_of(100'000, 1));
  ASSERT_EQ(next(*b).round, 1u);
  while (a->links()[0].round_trip == Duration{} || a->links()[0].unconfirmed_bytes > 0)
    ASSERT_EQ(a->receive(a->now() + 1ms).kind, Kind::kTimedOut);
  const LinkStatistics link = a->links()[0];
  EXPECT_EQ(link.peer, 1u);
  EXPECT_TRUE(link.is_up);
  EXPECT_EQ(link.reconnects, 0u);
  EXPECT_GT(link.bytes_sent, 100'000 + kFrameHeaderSize);
  EXPECT_LT(link.bytes_sent, 110'000u);
  EXPECT_GT(link.bytes_received, kFrameHeaderSize);
}

// While its own thread is elsewhere, a node still sends, receives and confirms.
TEST_P(TlsRecovery, LinksLiveOnWhileTheNodeComputes) {
  Neighbourhood neighbourhood(2, GetParam());
  const auto computes = neighbourhood.open(0);
  const auto waits = neighbourhood.open(1);
  computes->send(1, 1, message_of(20'000'000, 1));
  // Nobody calls computes from here on.
  waits->send(0, 2, message_of(10'000'000, 2));
  const Arrival large = next(*waits);
  ASSERT_EQ(large.kind, Kind::kMessage);
  EXPECT_EQ(large.message.payload().size(), 20'000'000u);
  while (waits->links()[0].unconfirmed_bytes > 0)
    ASSERT_EQ(waits->receive(waits->now() + 1ms).kind, Kind::kTimedOut);
  EXPECT_EQ(computes->receive(computes->now()).round, 2u) << "it was there already";
}

TEST_P(TlsRecovery, ASenderWaitsInsteadOfFillingTheMemory) {
  constexpr std::size_t kSize = 4'000'000;
  constexpr Round kMessages = 100;
  constexpr std::uint64_t kMost = 64 * 1024 * 1024;
  Neighbourhood neighbourhood(2, GetParam());
  const auto receiver = neighbourhood.open(0);
  std::atomic<Round> sent = 0;
  std::jthread other([&] {
    const auto sender = neighbourhood.open(1);
    const Message message = message_of(kSize, 1);
    for (Round round = 0; round < kMessages; ++round) {
      sender->send(0, round, message);
      ++sent;
      ASSERT_LE(sender->links()[0].unconfirmed_bytes, kMost + 2 * kSize);
    }
  });
  ASSERT_EQ(next(*receiver).round, 0u);
  // As long as nobody takes anything, no more goes out than both ends may hold.
  Round before = 0;
  do {
    before = sent;
    (void)receiver->links();
    std::this_thread::yield();
  } while (sent != before);
  EXPECT_LE(sent * kSize, 2 * kMost + 10 * kSize);
  for (Round round = 1; round < kMessages; ++round)
    ASSERT_EQ(next(*receiver).round, round);
}

// Nor with messages so small that their payload is the least of what they cost.
TEST_P(TlsRecovery, ASenderOfTinyMessagesWaitsToo) {
  constexpr Round kMessages = 500'000;
  constexpr Round kMostHeld = 64 * 1024 * 1024 / 512;  // at either end
  Neighbourhood neighbourhood(2, GetParam());
  const auto receiver = neighbourhood.open(0);
  std::atomic<Round> sent = 0;
  std::jthread other([&] {
    const auto sender = neighbourhood.open(1);
    const Message message = message_of(1, 1);
    for (Round round = 0; round < kMessages; ++round) {
      sender->send(0, round, message);
      ++sent;
    }
  });
  ASSERT_EQ(next(*receiver).round, 0u);
  // It comes to rest when both ends hold what they may, or never.
  Round before = 0;
  for (int unchanged = 0; sent < kMostHeld || unchanged < 1000;) {
    (void)receiver->links();
    std::this_thread::yield();
    unchanged = sent == std::exchange(before, sent) ? unchanged + 1 : 0;
  }
  EXPECT_LE(sent, 2 * kMostHeld + 10'000);
  for (Round round = 1; round < kMessages; ++round)
    ASSERT_EQ(next(*receiver).round, round);
}

INSTANTIATE_TEST_SUITE_P(Worlds, TlsRecovery, ::testing::Values(Wires::kTls, Wires::kTcp),
                         [](const auto& wires) {
                           return std::string(wires.param == Wires::kTls ? "tls" : "tcp");
                         });

}  // namespace
}  // namespace gossamer::testing
