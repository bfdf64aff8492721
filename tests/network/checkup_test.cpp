// Checkups on simulated networks, whose figures are known, and among threads.

#include "gossamer/network/checkup.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/network/sim/sim.hpp"

namespace gossamer::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr Time kNoDeadline = Time::max();

std::vector<NodeId> all_others(const Network& network) {
  std::vector<NodeId> peers;
  for (NodeId id = 0; id < network.size(); ++id) {
    if (id != network.self()) peers.push_back(id);
  }
  return peers;
}

// What every node found, by (node, peer).
using Found = std::map<std::pair<NodeId, NodeId>, PeerCheckup>;

/// Machine i is i seconds ahead.
CheckupSetup setup_of(const Network& network) {
  CheckupSetup setup;
  setup.version = fmt::format("version {}", network.self());
  setup.wall_clock = [&network] {
    return WallTime(network.now().time_since_epoch() + network.self() * 1s);
  };
  return setup;
}

Found simulate(NodeId size, const SimSetup& sim, const std::function<bool(Network&)>& is_absent,
               int passes = 1) {
  Found found;
  const Result<void> run = run_sim(size, sim, [&](Network& network) {
    if (is_absent(network)) {
      // Here, and deaf: only others' patience ends it.
      while (network.now() < Time(60s))
        (void)network.receive(Time(60s));
      return;
    }
    CheckupSetup setup = setup_of(network);
    setup.passes = passes;
    for (const PeerCheckup& result : check_up(network, all_others(network), setup))
      found[{network.self(), result.peer}] = result;
  });
  EXPECT_TRUE(run) << run.error().message;
  return found;
}

bool nobody(Network&) {
  return false;
}

TEST(Checkup, MeasuresRoundTripsRatesAndClocks) {
  SimSetup sim;
  sim.bandwidth = 1e6;
  sim.latency = 10ms;
  const Found found = simulate(2, sim, nobody);
  ASSERT_EQ(found.size(), 2u);
  for (const auto& [pair, result] : found) {
    EXPECT_EQ(result.trouble, "");
    EXPECT_EQ(result.version, fmt::format("version {}", result.peer));
    // Two latencies, and two frames of less than 200 bytes.
    EXPECT_GE(result.round_trip, 20ms);
    EXPECT_LE(result.round_trip, 20ms + 400us);
    // Besides blocks each way carries the answers to the other's: less than a hundredth.
    EXPECT_NEAR(result.bytes_per_second, 1e6, 1e4);
    const Duration ahead = (static_cast<int>(result.peer) - static_cast<int>(pair.first)) * 1s;
    EXPECT_NEAR(seconds(result.clock_ahead), seconds(ahead), seconds(result.round_trip) / 2);
  }
}

// Something gets in the way of the first pass: pings take until 0.1 s, blocks until 0.5 s.
TEST(Checkup, TheBestOfSeveralPassesCounts) {
  SimSetup sim;
  sim.bandwidth = 1e6;
  sim.latency = 10ms;
  sim.outages = {{.a = 0, .b = 1, .begin = Time(300ms), .end = Time(800ms)}};
  for (const auto& [pair, result] : simulate(2, sim, nobody))
    EXPECT_LT(result.bytes_per_second, 0.6e6);
  const Found found = simulate(2, sim, nobody, 2);
  ASSERT_EQ(found.size(), 2u);
  for (const auto& [pair, result] : found) {
    EXPECT_EQ(result.trouble, "");
    EXPECT_NEAR(result.bytes_per_second, 1e6, 1e4);
    EXPECT_LE(result.round_trip, 20ms + 400us);
  }
}

TEST(Checkup, TellsASlowLinkFromOthers) {
  SimSetup sim;
  sim.bandwidth = 1e7;
  sim.latency = 1ms;
  sim.links.push_back({0, 2, 1e5, 50ms});
  const Found found = simulate(3, sim, nobody);
  ASSERT_EQ(found.size(), 6u);
  for (const auto& [pair, result] : found) {
    EXPECT_EQ(result.trouble, "");
    const bool is_slow = pair.first + pair.second == 2;
    EXPECT_EQ(result.round_trip >= 100ms, is_slow) << pair.first << " to " << pair.second;
    // Others use the same connections meanwhile; a tenth of them would be a fault.
    EXPECT_LE(result.bytes_per_second, is_slow ? 1.01e5 : 1.01e7);
    EXPECT_GE(result.bytes_per_second, is_slow ? 0.5e5 : 0.3e7);
  }
}

TEST(Checkup, NamesWhoDoesNotAnswerAndMeasuresTheOthers) {
  const Found found =
      simulate(4, SimSetup{}, [](const Network& network) { return network.self() == 1; });
  ASSERT_EQ(found.size(), 9u);
  for (const auto& [pair, result] : found) {
    EXPECT_EQ(result.trouble, result.peer == 1 ? "it did not answer for 10s" : "");
    EXPECT_EQ(result.bytes_per_second > 0, result.peer != 1);
  }
}

TEST(Checkup, NamesWhoIsGone) {
  SimSetup sim;
  sim.failures.push_back({2, Time(1ms)});
  const Found found = simulate(3, sim, nobody);
  for (const NodeId node : {0u, 1u}) {
    EXPECT_NE(found.at({node, 2}).trouble, "");
    EXPECT_EQ(found.at({node, 1 - node}).trouble, "");
  }
}

TEST(Checkup, NamesWhoTalksNonsense) {
  Found found;
  run_inproc(2, [&](Network& network) {
    if (network.self() == 1) {
      ByteWriter nonsense = Message::writer();
      nonsense.write<std::uint8_t>(77);
      nonsense.write<std::uint32_t>(1);
      network.send_aside(0, 0, Message(std::move(nonsense)));
      while (network.receive(kNoDeadline).kind != Arrival::Kind::kPeerLost) {
      }
      return;
    }
    for (const PeerCheckup& result : check_up(network, {1}, setup_of(network)))
      found[{0, 1}] = result;
  });
  EXPECT_THAT(found.at({0, 1}).trouble, HasSubstr("it sent what makes no sense"));
}

TEST(Checkup, EndsOnEveryNodeAmongThreads) {
  std::mutex mutex;
  Found found;
  run_inproc(5, [&](Network& network) {
    CheckupSetup setup = setup_of(network);
    setup.measured_for = 1us;
    const auto results = check_up(network, all_others(network), setup);
    const std::lock_guard lock(mutex);
    for (const PeerCheckup& result : results)
      found[{network.self(), result.peer}] = result;
  });
  ASSERT_EQ(found.size(), 20u);
  for (const auto& [pair, result] : found) {
    EXPECT_EQ(result.trouble, "");
    EXPECT_GT(result.bytes_per_second, 0.0);
  }
}

}  // namespace
}  // namespace gossamer::testing
