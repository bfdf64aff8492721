// Processors of a simulation: cores that nodes share, and what messages cost them.

#include <vector>

#include "tests/network/simulate.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

// SimGrid divides work by rates that are doubles: a nanosecond may be missing.
void expect_at(Duration expected, Duration at) {
  EXPECT_LE(std::chrono::abs(at - expected), 1ns) << at.count() << " ns";
}

// When each of so many nodes has done a second of work that all begin together.
std::vector<Duration> ends_of_work(NodeId nodes, unsigned shared_cores) {
  SimSetup setup;
  setup.processors.shared_cores = shared_cores;
  std::vector<Duration> ends(nodes);
  simulate(nodes, setup, [&](Network& network) {
    network.spend(1s);
    ends[network.self()] = network.now().time_since_epoch();
  });
  return ends;
}

TEST(SimProcessors, EachNodeHasACoreOfItsOwnUnlessTheyShare) {
  for (const Duration end : ends_of_work(8, 0))
    expect_at(1s, end);
}

TEST(SimProcessors, NodesThatComputeAtOnceShareTheCores) {
  for (const Duration end : ends_of_work(8, 2))
    expect_at(4s, end);
}

TEST(SimProcessors, OneNodeComputesOnOneCore) {
  for (const Duration end : ends_of_work(2, 4))
    expect_at(1s, end);
}

// How long a megabyte is under way at 1 MB/s and 10 ms if each byte costs each end so much.
Duration flight(double seconds_per_byte, unsigned shared_cores, Duration per_message = {}) {
  SimSetup setup = slow_network();
  setup.processors = {shared_cores, per_message, seconds_per_byte};
  Duration at{};
  simulate(2, setup, [&](Network& network) {
    if (network.self() == 0) return network.send(1, 0, frame_of(1'000'000));
    at = hear(network).at;
  });
  return at;
}

TEST(SimProcessors, WhatAByteCostsIsHiddenBehindASlowCable) {
  expect_at(1010ms, flight(0.9e-6, 0));
  expect_at(1010ms, flight(0.45e-6, 1));
}

TEST(SimProcessors, WhatAByteCostsCountsWhereTheProcessorIsSlowerThanTheCable) {
  expect_at(3010ms, flight(3e-6, 0));
}

TEST(SimProcessors, WhatAMessageCostsComesOnTop) {
  expect_at(1210ms, flight(0, 0, 100ms));
}

TEST(SimProcessors, MessagesOfOneMachineShareItsProcessor) {
  SimSetup setup = slow_network();
  setup.bandwidth = 1e9;
  setup.processors.seconds_per_byte = 1e-6;
  simulate(3, setup, [](Network& network) {
    if (network.self() == 0) {
      network.send(1, 0, frame_of(1'000'000));
      network.send(2, 0, frame_of(1'000'000));
      return;
    }
    expect_at(2010ms, hear(network).at);
  });
}

TEST(SimProcessors, TheEndsOfAMessageShareOneCore) {
  expect_at(6s, flight(3e-6, 1));
  expect_at(3s, flight(3e-6, 2));
}

TEST(SimProcessors, MessagesAndComputingShareACore) {
  SimSetup setup = slow_network();
  setup.processors = {1, {}, 1e-6};
  simulate(2, setup, [&](Network& network) {
    if (network.self() == 0) {
      network.send(1, 0, frame_of(1'000'000));
      network.spend(1s);  // a third of the core, beside both ends of the message
      expect_at(3s, network.now().time_since_epoch());
      return;
    }
    expect_at(3s, hear(network).at);
  });
}

TEST(SimProcessors, AnOutageStartsAMessagesWorkAgain) {
  SimSetup setup = slow_network();
  setup.processors = {2, {}, 2e-6};
  setup.outages = {{.a = 0, .b = 1, .begin = Time(1s), .end = Time(4s)}};
  simulate(2, setup, [&](Network& network) {
    if (network.self() == 0) return network.send(1, 0, frame_of(1'000'000));
    expect_at(6s, hear(network).at);
  });
}

TEST(SimProcessors, MessagesCostNoNegativeTime) {
  SimSetup setup;
  setup.processors.seconds_per_byte = -1e-9;
  const Result<void> refused = run_sim(2, setup, [](Network&) {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "a message costs the processor no negative time");
}

}  // namespace
}  // namespace gossamer
