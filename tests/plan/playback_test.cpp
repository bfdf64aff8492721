// Scripts whose time can be computed by hand.

#include "gossamer/plan/playback.hpp"

#include <chrono>
#include <memory>

#include <gtest/gtest.h>

#include "gossamer/plan/rehearsal.hpp"
#include "gossamer/topology/registry.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;
using Kind = ScriptStep::Kind;

constexpr ScriptStep kGradient{.kind = Kind::kGradient};
constexpr ScriptStep kGather{.kind = Kind::kGather};

ScriptStep send(std::size_t frame) {
  return {.kind = Kind::kSend, .bytes = frame - kFrameHeaderSize};
}

ScriptStep work(Duration fixed, Duration per_peer = {}) {
  return {.kind = Kind::kWork, .fixed_work = fixed, .work_per_peer = per_peer};
}

// 1 MB/s and 10 ms.
SimSetup slow() {
  SimSetup setup;
  setup.bandwidth = 1e6;
  setup.latency = 10ms;
  return setup;
}

PlayedRound played(const RoundScript& script, NodeId nodes, Duration gradient,
                   const SimSetup& network = slow()) {
  const auto topology = std::move(make_topology("ring", nodes, 0)).value();
  const Result<PlayedRound> round = play(script, *topology, network, gradient);
  EXPECT_TRUE(round) << round.error().message;
  return round.value();
}

// SimGrid's clock is a double, and a round the difference of two of its values.
constexpr double kClock = 1e-8;

TEST(Playback, WhoSendsNothingOnlyComputes) {
  const PlayedRound round = played({Reach::kNeighbours, {kGradient, work(5ms, 1ms)}}, 4, 20ms);
  EXPECT_NEAR(round.seconds, 0.027, kClock) << "two neighbours";
  EXPECT_EQ(round.bytes_per_node, 0);
}

TEST(Playback, AMessageTravelsWhileTheGradientIsComputed) {
  const RoundScript script{Reach::kNeighbours, {work(5ms), send(10'000), kGradient, kGather}};
  // Two messages of 10 ms each share the connection, and 10 ms of latency follow.
  EXPECT_NEAR(played(script, 4, 20ms).seconds, 0.005 + 0.030, kClock);
  EXPECT_NEAR(played(script, 4, 50ms).seconds, 0.005 + 0.050, kClock) << "hidden";
  EXPECT_DOUBLE_EQ(played(script, 4, 20ms).bytes_per_node, 20'000);
}

TEST(Playback, AMessageAfterTheGradientIsWaitedFor) {
  const RoundScript script{Reach::kNeighbours, {kGradient, send(10'000), kGather, work(1ms)}};
  EXPECT_NEAR(played(script, 4, 20ms).seconds, 0.020 + 0.030 + 0.001, kClock);
}

TEST(Playback, EverybodySendsToEverybody) {
  const RoundScript script{Reach::kEveryone, {kGradient, send(10'000), kGather}};
  EXPECT_NEAR(played(script, 6, 20ms).seconds, 0.020 + 5 * 0.010 + 0.010, kClock);
}

TEST(Playback, LocalStepsShareOneMeeting) {
  const RoundScript script{
      Reach::kNeighbours, {kGradient, kGradient, kGradient, kGradient, send(10'000), kGather}, 4};
  const PlayedRound round = played(script, 4, 20ms);
  EXPECT_NEAR(round.seconds, (4 * 0.020 + 0.030) / 4, kClock);
  EXPECT_DOUBLE_EQ(round.bytes_per_node, 5'000);
}

RoundScript ring_for_two() {
  return {Reach::kRing,
          {kGradient, work(2ms), send(100'000), kGather, work(2ms), send(100'000), kGather},
          1,
          2};
}

TEST(Playback, ARingPassesSharesOn) {
  const RoundScript script = scaled_to(ring_for_two(), 5);
  // The payload is cut for 5 instead of 2, the header is not.
  const double frame = (100'000.0 - kFrameHeaderSize) * 2 / 5 + kFrameHeaderSize;
  EXPECT_EQ(ring_exchanges(script), 8u);
  const PlayedRound round = played(script, 5, 20ms);
  EXPECT_NEAR(round.bytes_per_node, 8 * frame, 8) << "whole bytes";
  EXPECT_NEAR(round.seconds, 0.020 + 8 * (0.0008 + frame / 1e6 + 0.010), 8e-6);
}

// Only some of its exchanges are played.
TEST(Playback, ALongRingTakesAsLongAsAllItsExchanges) {
  constexpr NodeId kNodes = 100;
  const RoundScript script = scaled_to(ring_for_two(), kNodes);
  const double frame = (100'000.0 - kFrameHeaderSize) * 2 / kNodes + kFrameHeaderSize;
  const PlayedRound round = played(script, kNodes, 20ms);
  EXPECT_NEAR(round.bytes_per_node, 198 * frame, 198);
  EXPECT_NEAR(round.seconds, 0.020 + 198 * (0.00004 + frame / 1e6 + 0.010), 198e-6);
}

TEST(Playback, ChangingGraphsAreFollowed) {
  const auto topology = std::move(make_topology("one-peer-exponential", 8, 0)).value();
  const RoundScript script{Reach::kNeighbours, {kGradient, send(10'000), kGather}};
  const Result<PlayedRound> round = play(script, *topology, slow(), 20ms);
  ASSERT_TRUE(round);
  EXPECT_NEAR(round.value().seconds, 0.020 + 0.010 + 0.010, kClock) << "one peer in each round";
}

TEST(Playback, WhatTheSimulatorRefusesIsRefused) {
  SimSetup network = slow();
  network.platform_file = "there-is-no-such-file.xml";
  const auto topology = std::move(make_topology("ring", 4, 0)).value();
  EXPECT_FALSE(play({Reach::kNeighbours, {kGradient}}, *topology, network, 1ms));
}

}  // namespace
}  // namespace gossamer
