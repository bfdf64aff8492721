// Links of a simulation that are down for a while, and machines that fail: who hears what, and
// when.

#include <chrono>

#include "tests/network/simulate.hpp"
#include <gtest/gtest.h>

#include "gossamer/network/sim/sim.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

TEST(SimFailure, AnOutageDelaysWhatIsUnderWay) {
  SimSetup setup = slow_network();
  setup.outages = {{.a = 1, .b = 0, .begin = Time(500ms), .end = Time(3s)}};
  simulate(3, setup, [](Network& network) {
    if (network.self() == 0) {
      network.send(2, 9, frame_of(10'000));
      network.spend(30ms);
      network.send(1, 0, frame_of(1'000'000));
      network.spend(970ms);
      network.send(1, 1, frame_of(1'000'000));  // while the link is down
      return;
    }
    if (network.self() == 2) {
      EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 9, 20ms}));
      EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 0, 0, 1s})) << "only one pair is cut";
      return;
    }
    while (hear(network).from != 2) {
    }
    EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 0, 4010ms})) << "again from the start";
    EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 1, 5010ms}));
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 0, 0, 5010ms}));
    EXPECT_EQ(hear(network, network.now()).kind, Kind::kTimedOut) << "each once";
  });
}

TEST(SimFailure, OutagesThatOverlapEndWithTheLast) {
  SimSetup setup = slow_network();
  setup.outages = {{.a = 0, .b = 1, .begin = Time{}, .end = Time(2s)},
                   {.a = 1, .b = 0, .begin = Time(1s), .end = Time(4s)}};
  simulate(2, setup, [](Network& network) {
    if (network.self() == 0) {
      network.spend(1500ms);
      return network.send(1, 0, frame_of(10'000));
    }
    EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 0, 4020ms}));
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 0, 0, 4020ms}));
  });
}

TEST(SimFailure, NothingIsHeardAfterAnOutageForGood) {
  SimSetup setup = slow_network();
  setup.outages = {{.a = 0, .b = 1, .begin = Time(15ms), .end = {}}};
  simulate(2, setup, [](Network& network) {
    if (network.self() == 0) {
      network.send(1, 0, frame_of(1'000));
      network.send(1, 1, frame_of(1'000'000));
      return;
    }
    EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 0, 11ms}));
    EXPECT_EQ(hear(network, Time(100s)), (Heard{Kind::kTimedOut, 0, 0, 100s}));
    EXPECT_EQ(hear(network).kind, Kind::kTimedOut) << "not even its end";
  });
}

// Counts how many are alive.
struct Counted {
  explicit Counted(int& count) : count_(count) { ++count_; }

  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  ~Counted() { --count_; }

  int& count_;
};

TEST(SimFailure, AMachineThatFailsIsReportedAfterWhatHasArrived) {
  SimSetup setup = slow_network();
  setup.failures = {{.node = 0, .at = Time(500ms)}};
  int alive = 0;
  simulate(3, setup, [&](Network& network) {
    const Counted counted(alive);
    if (network.self() == 0) {
      network.send(1, 0, frame_of(1'000));
      network.send(1, 1, frame_of(1'000'000));
      for (;;)
        (void)hear(network);
    }
    if (network.self() == 2) network.send(0, 0, frame_of(1'000'000));
    if (network.self() == 1) {
      EXPECT_EQ(hear(network), (Heard{Kind::kMessage, 0, 0, 11ms}));
    }
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 0, 0, 500ms}));
    EXPECT_EQ(hear(network, Time(20s)).kind, Kind::kTimedOut) << "once, and nothing after it";
    network.send(0, 2, frame_of(1'000));  // to nobody
  });
  EXPECT_EQ(alive, 0) << "the stack of a node that is killed unwinds";
}

TEST(SimFailure, AMachineCanFailWhileItComputesOrAfterItsEnd) {
  SimSetup setup = slow_network();
  setup.failures = {
      {.node = 0, .at = Time(1s)}, {.node = 1, .at = Time(2s)}, {.node = 0, .at = Time(3s)}};
  simulate(3, setup, [](Network& network) {
    if (network.self() == 0) network.spend(100s);
    if (network.self() != 2) return;
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 1, 0, 0s}));
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 0, 0, 1s}));
    EXPECT_EQ(hear(network, Time(5s)).kind, Kind::kTimedOut) << "each once";
  });
}

TEST(SimFailure, ANodeThatEndedIsReportedThoughItsMachineFails) {
  SimSetup setup = slow_network();
  setup.failures = {{.node = 0, .at = Time(500ms)}};
  simulate(2, setup, [](Network& network) {
    if (network.self() == 0) return network.send(1, 0, frame_of(1'000'000));
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 0, 0, 500ms})) << "the message is lost";
    EXPECT_EQ(hear(network, Time(5s)).kind, Kind::kTimedOut);
  });
}

TEST(SimFailure, AMachineTakesAllItsNodesWithIt) {
  SimSetup setup = slow_network();
  setup.hosts = 2;
  setup.failures = {{.node = 0, .at = Time(1s)}};
  simulate(3, setup, [](Network& network) {
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 0, 0, 1s}));
    EXPECT_EQ(hear(network), (Heard{Kind::kPeerLost, 2, 0, 1s}));
  });
}

}  // namespace
}  // namespace gossamer
