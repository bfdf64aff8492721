// What network/sim adds to the laws of every network: a clock that can be computed by hand.

#include "gossamer/network/sim/sim.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/network/simulate.hpp"
#include <gtest/gtest.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

// SimGrid's clock is a double of seconds, here a few: its steps are 2^-51 s. now() rounds to
// nanoseconds, so the times below are exact.

TEST(Sim, ATransferTakesItsBytesAndTheLatency) {
  simulate(2, slow_network(), [](Network& network) {
    if (network.self() == 0) {
      network.send(1, 5, frame_of(1'000'000));
      EXPECT_EQ(network.now(), Time{}) << "sending takes no time";
      return;
    }
    EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 5, 1010ms}));
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 0, 0, 1010ms}));
  });
}

// SimGrid by itself would limit a flow to a window of 4 MiB per round trip: here to 2 MB/s.
TEST(Sim, NoWindowLimitsALongConnection) {
  SimSetup setup;
  setup.bandwidth = 100e6;
  setup.latency = 1s;
  simulate(2, setup, [](Network& network) {
    if (network.self() == 0) return network.send(1, 0, frame_of(100'000'000));
    EXPECT_EQ(hear(network).at, 2s);
  });
}

TEST(Sim, FlowsOutOfOneNodeShareItsConnection) {
  simulate(3, slow_network(), [](Network& network) {
    if (network.self() == 0) {
      network.send(1, 0, frame_of(1'000'000));
      network.send(2, 0, frame_of(1'000'000));
      return;
    }
    EXPECT_EQ(hear(network).at, 2010ms);
  });
}

TEST(Sim, FlowsIntoOneNodeShareItsConnection) {
  simulate(3, slow_network(), [](Network& network) {
    if (network.self() != 0) return network.send(0, 0, frame_of(1'000'000));
    EXPECT_EQ(hear(network).at, 2010ms);
    EXPECT_EQ(hear(network).at, 2010ms);
  });
}

TEST(Sim, DirectionsDoNotShare) {
  simulate(2, slow_network(), [](Network& network) {
    network.send(1 - network.self(), 0, frame_of(1'000'000));
    EXPECT_EQ(hear(network).at, 1010ms);
  });
}

TEST(Sim, DistantFlowsDoNotShare) {
  simulate(4, slow_network(), [](Network& network) {
    if (network.self() < 2) {
      network.send(network.self() + 2, 0, frame_of(1'000'000));
      return network.spend(2s);
    }
    EXPECT_EQ(hear(network), (Heard{Kind::kMessage, network.self() - 2, 0, 1010ms}));
  });
}

TEST(Sim, AShortMessageDoesNotOvertakeALongOne) {
  simulate(2, slow_network(), [](Network& network) {
    if (network.self() == 0) {
      network.send(1, 0, frame_of(1'000'000));
      network.send(1, 1, frame_of(100));
      return;
    }
    EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 0, 1'010'000us}));
    EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 1, 1'010'100us}));
  });
}

// One connection: the second is sent when the first is through, not when it has arrived.
TEST(Sim, MessagesOfOnePairFollowEachOtherWithoutALatencyBetween) {
  simulate(2, slow_network(), [](Network& network) {
    if (network.self() == 0) {
      for (Round round = 0; round < 3; ++round)
        network.send(1, round, frame_of(1'000));
      return;
    }
    for (Round round = 0; round < 3; ++round)
      EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, round, 11ms + round * 1ms}));
  });
}

// Two connections out of one machine: each has half of its bandwidth, however much waits on the
// other.
TEST(Sim, ManyMessagesOnAConnectionGetNoMoreThanOneOnAnother) {
  simulate(3, slow_network(), [](Network& network) {
    if (network.self() == 0) {
      for (Round round = 0; round < 9; ++round)
        network.send(1, round, frame_of(100'000));
      network.send(2, 0, frame_of(100'000));
    }
    if (network.self() == 2) {
      Heard heard = hear(network);
      while (heard.from == 1)  // its end
        heard = hear(network);
      EXPECT_EQ(heard, (Heard{Kind::kMessage, 0, 0, 210ms}));
    }
  });
}

// The steps of all-reduces around a ring, of shares of which some are a number longer: nodes get
// out of step by that. Where messages of one pair were flows side by side, it grew until every
// exchange took its bytes twice.
TEST(Sim, ExchangesAroundARingTakeTheSameTimeForEver) {
  constexpr Round kRounds = 300;
  constexpr NodeId kNodes = 8;
  constexpr Round kSteps = 2 * (kNodes - 1);
  SimSetup setup;
  setup.bandwidth = 1.25e6;
  setup.latency = 100us;
  simulate(kNodes, setup, [](Network& network) {
    const NodeId next = (network.self() + 1) % kNodes;
    for (Round round = 0; round < kRounds; ++round) {
      network.spend(5ms);
      for (Round step = 0; step < kSteps; ++step) {
        const Round share = (network.self() + kSteps + 2 - step) % kNodes;
        network.send(next, round, frame_of(share % 4 == 3 ? 12'784 : 12'780));
        while (network.receive(kNoDeadline).kind == Kind::kPeerLost) {
        }  // one that has come to its end
      }
    }
    const auto time_with = [](double bytes) {
      return kRounds * (0.005 + kSteps * (bytes / 1.25e6 + 100e-6));
    };
    const double took = seconds(network.now().time_since_epoch());
    EXPECT_GE(took, time_with(12'780) - 1e-6);
    EXPECT_LE(took, time_with(12'784) + 1e-6);
  });
}

// Machine 1 has a quarter of what the others have, up and down.
TEST(Sim, AMachineCanHaveABandwidthOfItsOwn) {
  SimSetup setup = slow_network();
  setup.machine_bandwidth = {{1, 0.25e6}};
  simulate(3, setup, [](Network& network) {
    const NodeId next = (network.self() + 1) % 3;
    network.send(next, 0, frame_of(1'000'000));
    const Duration slow = 4010ms;
    const Duration usual = 1010ms;
    EXPECT_EQ(hear(network).at, network.self() == 0 ? usual : slow);
    network.spend(20s);
  });
}

TEST(Sim, APairCanHaveACableOfItsOwn) {
  SimSetup setup = slow_network();
  setup.links = {{.a = 2, .b = 0, .bandwidth = 0.25e6, .latency = 500ms}};
  simulate(3, setup, [](Network& network) {
    const NodeId self = network.self();
    if (self == 0) {
      EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 2, 0, 4500ms}));
      return network.send(2, 0, frame_of(1'000'000));
    }
    if (self == 2) {
      network.send(0, 0, frame_of(1'000'000));
      EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 1, 0, 1010ms})) << "as all others";
      EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 0, 9s})) << "the other direction";
      return;
    }
    network.send(2, 0, frame_of(1'000'000));
    network.spend(20s);
  });
}

// The latency of a pair alone, at the bandwidth of all.
TEST(Sim, ACableCanDifferInItsLatencyAlone) {
  SimSetup setup = slow_network();
  setup.links = {{.a = 0, .b = 1, .bandwidth = {}, .latency = 0ns}};
  simulate(2, setup, [](Network& network) {
    if (network.self() == 0) return network.send(1, 0, frame_of(1'000'000));
    EXPECT_EQ(hear(network).at, 1s);
  });
}

TEST(Sim, ComputingMovesTheClockOfItsNodeAlone) {
  simulate(2, slow_network(), [](Network& network) {
    const Duration compute = network.self() == 0 ? 3s : 1s;
    network.spend(compute);
    EXPECT_EQ(network.now(), Time(compute));
    network.spend(0s);
    EXPECT_EQ(network.now(), Time(compute));
    EXPECT_THROW(network.spend(-1ns), ContractViolation);
  });
}

TEST(Sim, NanosecondsAddUp) {
  simulate(1, SimSetup{}, [](Network& network) {
    for (int i = 0; i < 1000; ++i)
      network.spend(i % 3 == 0 ? 1ns : 12'345'678ns);
    EXPECT_EQ(network.now(), Time(334 * 1ns + 666 * 12'345'678ns));
  });
}

TEST(Sim, AReceiveEndsAtItsDeadlineToTheNanosecond) {
  simulate(2, slow_network(), [](Network& network) {
    if (network.self() == 0) {
      network.spend(2s);
      return;
    }
    EXPECT_EQ(hear(network, Time(123'456'789ns)), (Heard{Kind::kTimedOut, 0, 0, 123'456'789ns}));
    EXPECT_EQ(hear(network, Time(123'456'790ns)), (Heard{Kind::kTimedOut, 0, 0, 123'456'790ns}));
    EXPECT_EQ(hear(network, Time(5s)), (Heard{Kind::kPeerLost, 0, 0, 2s}));
  });
}

// Whichever of the two comes first, nothing is lost and nobody wakes for nothing afterwards.
TEST(Sim, AnArrivalCanComeInTheInstantOfTheDeadline) {
  for (const Duration early : {-1ns, 0ns, 1ns}) {
    simulate(2, slow_network(), [&](Network& network) {
      if (network.self() == 0) {
        network.send(1, 0, frame_of(1'000'000));
        return network.spend(5s);
      }
      Heard heard = hear(network, Time(1010ms - early));
      if (heard.kind == Kind::kTimedOut) heard = hear(network);
      EXPECT_EQ(heard.kind, Kind::kMessage);
      EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 0, 0, 5s}));
    });
  }
}

TEST(Sim, ACoordinatorSharesTheMachineOfWorker0) {
  SimSetup setup = slow_network();
  setup.hosts = 2;
  simulate(3, setup, [](Network& network) {
    if (network.self() == 2) {
      network.send(0, 0, frame_of(1'000'000));
      network.send(1, 0, frame_of(500'000));
    }
    if (network.self() == 0) {
      // 1e10 bytes per second through the memory of the machine.
      EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 2, 0, 100us}));
      network.send(1, 0, frame_of(500'000));
    }
    // Both leave machine 0 together: 1 MB, of which worker 0 sends the last 100 bytes alone.
    if (network.self() == 1) {
      EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 2, 0, 1'009'900us}));
      EXPECT_EQ(hear(network).kind, Kind::kPeerLost);
      EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 0, 1'010'000us}));
    }
  });
}

TEST(Sim, OnlyPairsThatAreListedTalk) {
  SimSetup setup = slow_network();
  setup.pairs = {{1, 0}, {1, 2}, {0, 1}};
  simulate(3, setup, [](Network& network) {
    if (network.self() == 0) {
      EXPECT_THROW(network.send(2, 0, frame_of(100)), ContractViolation);
      return network.send(1, 4, frame_of(100));
    }
    if (network.self() == 1) {
      EXPECT_EQ(hear(network).round, 4u);
    }
    const NodeId first = network.self() == 1 ? 0 : 1;
    EXPECT_EQ(hear(network).from, first) << "node 2 does not hear of node 0";
  });
}

TEST(Sim, EverySimulationBeginsAtTimeZero) {
  for (int run = 0; run < 3; ++run) {
    simulate(2, slow_network(), [](Network& network) {
      EXPECT_EQ(network.now(), Time{});
      if (network.self() == 0) return network.send(1, 0, frame_of(1'000'000));
      EXPECT_EQ(hear(network).at, 1010ms);
    });
  }
}

TEST(Sim, ASimulationInsideASimulationIsRefused) {
  simulate(1, SimSetup{}, [](Network&) {
    const Result<void> inner = run_sim(1, SimSetup{}, [](Network&) {});
    ASSERT_FALSE(inner);
    EXPECT_EQ(inner.error().message,
              "this process is already simulating; run one simulation after the other");
  });
}

TEST(Sim, WaitingForEverEndsWhenNothingIsOnItsWay) {
  SimSetup setup = slow_network();
  setup.outages = {{.a = 0, .b = 1, .begin = Time(2s), .end = Time(3s)}};
  simulate(2, setup, [](Network& network) {
    if (network.self() == 0) network.send(1, 0, frame_of(1'000'000));
    if (network.self() == 1) {
      EXPECT_EQ(hear(network).kind, Kind::kMessage);
    }
    EXPECT_EQ(hear(network), (Heard{Kind::kTimedOut, 0, 0, 3s})) << "after the last event";
    if (network.self() == 1) return;
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 1, 0, 3s}));
  });
}

TEST(Sim, WaitingForEverAgainIsAnError) {
  EXPECT_THROW(simulate(2, slow_network(),
                        [](Network& network) {
                          for (;;)
                            (void)network.receive(kNoDeadline);
                        }),
               std::runtime_error);
}

TEST(Sim, TheFirstExceptionIsThrownWhenAllHaveEnded) {
  int ended = 0;
  try {
    simulate(3, slow_network(), [&](Network& network) {
      network.spend(std::chrono::seconds(network.self()));
      if (network.self() == 1) throw std::runtime_error("first");
      if (network.self() == 2) throw std::runtime_error("second");
      network.spend(10s);
      ++ended;
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  EXPECT_EQ(ended, 1);
}

// A ring with only its own pairs: what does not grow with the square of the nodes.
TEST(Sim, ManyNodesOnARing) {
  constexpr NodeId kNodes = 256;
  SimSetup setup = slow_network();
  for (NodeId id = 0; id < kNodes; ++id)
    setup.pairs.emplace_back(id, (id + 1) % kNodes);
  std::vector<Duration> ends(kNodes);
  simulate(kNodes, setup, [&](Network& network) {
    const NodeId self = network.self();
    for (Round round = 0; round < 3; ++round) {
      network.send((self + 1) % kNodes, round, frame_of(5'000));
      network.send((self + kNodes - 1) % kNodes, round, frame_of(5'000));
      for (int i = 0; i < 2; ++i)
        EXPECT_EQ(hear(network).kind, Kind::kMessage);
    }
    ends[self] = network.now().time_since_epoch();
  });
  EXPECT_EQ(ends, std::vector<Duration>(kNodes, 60ms)) << "2 x 5 ms and 10 ms of latency a round";
}

}  // namespace
}  // namespace gossamer
