// Setups that cannot be simulated, each with its sentence; compute models.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/network/sim/compute_model.hpp"
#include "gossamer/network/sim/sim.hpp"

// SimGrid's parser keeps its buffers when it throws. Here and not in an environment variable, so
// that every way of running this test knows it.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:surf_parse_lex\n";
}

namespace gossamer {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// Why `setup` is refused; nothing must have run.
std::string refusal(const SimSetup& setup, NodeId size = 4) {
  const Result<void> result =
      run_sim(size, setup, [](Network&) { ADD_FAILURE() << "a refused setup has run"; });
  return result.ok() ? "" : result.error().message;
}

TEST(SimSetup, RefusesRatesThatAreNone) {
  SimSetup setup;
  setup.bandwidth = 0;
  EXPECT_EQ(refusal(setup), "the bandwidth is 0 bytes per second; it must be positive");
  setup.bandwidth = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(setup), "the bandwidth is nan bytes per second; it must be positive");
  setup = {};
  setup.latency = -1ns;
  EXPECT_EQ(refusal(setup), "the latency is -1 ns; it must not be negative");
}

TEST(SimSetup, RefusesMachinesWithoutARate) {
  SimSetup setup;
  setup.hosts = 3;
  setup.machine_bandwidth = {{0, 1e6}, {3, 1e6}};
  EXPECT_EQ(refusal(setup), "bandwidth of machine 3: the machines are 0 to 2");
  setup.machine_bandwidth = {{1, -1.0}};
  EXPECT_EQ(refusal(setup),
            "the bandwidth of machine 1 is -1 bytes per second; it must be positive");
  setup.machine_bandwidth = {{1, 1e6}, {1, 2e6}};
  EXPECT_EQ(refusal(setup), "the bandwidth of machine 1 has been given before");
}

TEST(SimSetup, RefusesLinksThatCannotBe) {
  SimSetup setup;
  setup.links = {{.a = 0, .b = 4, .bandwidth = 1.0, .latency = {}}};
  EXPECT_EQ(refusal(setup), "link 0-4: there is no node 4; the nodes are 0 to 3");
  setup.links = {{.a = 1, .b = 1, .bandwidth = 1.0, .latency = {}}};
  EXPECT_EQ(refusal(setup), "link 1-1: both ends are on machine 1, with no network between them");
  setup.links = {{.a = 1, .b = 0, .bandwidth = -1.0, .latency = {}}};
  EXPECT_EQ(refusal(setup), "link 1-0: the bandwidth is -1 bytes per second; it must be positive");
  setup.links = {{.a = 1, .b = 0, .bandwidth = {}, .latency = -5ns}};
  EXPECT_EQ(refusal(setup), "link 1-0: the latency is -5 ns; it must not be negative");
  setup.links = {{.a = 1, .b = 0, .bandwidth = 1.0, .latency = {}},
                 {.a = 0, .b = 1, .bandwidth = 2.0, .latency = {}}};
  EXPECT_EQ(refusal(setup), "link 0-1: these machines have been given a link before");
  setup.pairs = {{0, 2}};
  EXPECT_EQ(refusal(setup), "link 1-0: these nodes do not talk to each other");
}

TEST(SimSetup, RefusesPairsOfNobody) {
  SimSetup setup;
  setup.pairs = {{0, 1}, {9, 1}};
  EXPECT_EQ(refusal(setup), "pair 9-1: there is no node 9; the nodes are 0 to 3");
  setup.pairs = {{2, 2}};
  EXPECT_EQ(refusal(setup), "pair 2-2: a node does not talk to itself");
}

TEST(SimSetup, RefusesOutagesThatCannotBe) {
  SimSetup setup;
  setup.outages = {{.a = 7, .b = 0, .begin = Time(1s), .end = {}}};
  EXPECT_EQ(refusal(setup), "outage 7-0: there is no node 7; the nodes are 0 to 3");
  setup.outages = {{.a = 1, .b = 0, .begin = Time(-1s), .end = {}}};
  EXPECT_EQ(refusal(setup), "outage 1-0: it begins before the run");
  setup.outages = {{.a = 1, .b = 0, .begin = Time(2s), .end = Time(1500ms)}};
  EXPECT_EQ(refusal(setup), "outage 1-0: it ends at 1500ms, before it begins at 2s");
  setup.hosts = 3;
  setup.outages = {{.a = 3, .b = 0, .begin = Time(2s), .end = {}}};
  EXPECT_EQ(refusal(setup), "outage 3-0: both ends are on machine 0, with no network between them");
}

TEST(SimSetup, RefusesFailuresThatCannotBe) {
  SimSetup setup;
  setup.failures = {{.node = 4, .at = Time(1s)}};
  EXPECT_EQ(refusal(setup), "failure of node 4: there is no node 4; the nodes are 0 to 3");
  setup.failures = {{.node = 3, .at = Time(-1s)}};
  EXPECT_EQ(refusal(setup), "failure of node 3: it is before the run");
}

class SimPlatform : public ::testing::Test {
 protected:
  // The setup of a platform file with these elements in its one zone.
  SimSetup platform(const std::string& zone) {
    return file(
        "<?xml version='1.0'?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n" +
        zone + "</zone></platform>\n");
  }

  SimSetup file(const std::string& text) {
    std::ofstream(path_) << text;
    SimSetup setup;
    setup.platform_file = path_.string();
    return setup;
  }

  ~SimPlatform() override { std::filesystem::remove(path_); }

  std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("gossamer-") + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
       ".xml");
};

const char* const kTwoHosts = R"(<host id="b10" speed="1f"/><host id="a2" speed="1f"/>
<link id="l" bandwidth="1MBps" latency="10ms"/>)";

const char* const kTheirRoute = R"(<route src="b10" dst="a2"><link_ctn id="l"/></route>)";

TEST_F(SimPlatform, HostsOfAFileAreTheNodesInItsOrder) {
  // Three hosts in a row, whose names sort the other way: the first hop is slow, the second fast.
  const SimSetup setup = platform(R"(
    <host id="c" speed="1f"/><host id="b" speed="1f"/><host id="a" speed="1f"/>
    <link id="slow" bandwidth="1MBps" latency="10ms"/><link id="fast" bandwidth="1GBps" latency="0"/>
    <route src="c" dst="b"><link_ctn id="slow"/></route>
    <route src="b" dst="a"><link_ctn id="fast"/></route>
    <route src="c" dst="a"><link_ctn id="slow"/><link_ctn id="fast"/></route>)");
  std::vector<Time> arrived(3);
  const auto result = run_sim(3, setup, [&](Network& network) {
    if (network.self() == 1) {
      ByteWriter writer = Message::writer();
      std::ranges::fill(writer.extend(1'000'000 - 56), std::uint8_t{0});
      const Message message(std::move(writer));
      network.send(0, 0, message);
      network.send(2, 0, message);
      return;
    }
    while (network.receive(Time::max()).kind != Arrival::Kind::kMessage) {
    }
    arrived[network.self()] = network.now();
  });
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(arrived[0], Time(1010ms));
  EXPECT_EQ(arrived[2], Time(1ms));
}

TEST_F(SimPlatform, RefusesAFileThatIsNotThere) {
  SimSetup setup;
  setup.platform_file = "/nowhere/platform.xml";
  EXPECT_EQ(refusal(setup), "there is no platform file /nowhere/platform.xml");
}

TEST_F(SimPlatform, RefusesAFileThatIsNone) {
  EXPECT_THAT(refusal(file("# not XML at all\n")), HasSubstr("SimGrid cannot read "));
  EXPECT_THAT(refusal(file("")), HasSubstr("SimGrid cannot read "));
}

TEST_F(SimPlatform, FilesAndOwnNetworksCanFollowEachOther) {
  const SimSetup from_file = platform(std::string(kTwoHosts) + kTheirRoute);
  for (const SimSetup& setup : {SimSetup{}, from_file, SimSetup{}, from_file}) {
    const auto result = run_sim(2, setup, [](Network& network) {
      EXPECT_EQ(network.now(), Time{});
      network.spend(1s);
    });
    ASSERT_TRUE(result) << result.error().message;
  }
}

TEST_F(SimPlatform, NodesCanShareAHostOfAFile) {
  SimSetup setup = platform(std::string(kTwoHosts) + kTheirRoute);
  setup.hosts = 2;
  const auto result = run_sim(3, setup, [](Network& network) {
    if (network.self() == 2) network.send(0, 0, Message(Message::writer()));
    if (network.self() != 0) return network.spend(1s);
    EXPECT_EQ(network.receive(Time::max()).kind, Arrival::Kind::kMessage);
    EXPECT_LT(network.now(), Time(1us)) << "not by the network, which takes 10 ms";
  });
  ASSERT_TRUE(result) << result.error().message;
}

TEST_F(SimPlatform, RefusesTooFewHosts) {
  const SimSetup setup = platform(std::string(kTwoHosts) + kTheirRoute);
  EXPECT_EQ(refusal(setup), setup.platform_file + " has 2 hosts, and 4 machines are needed");
}

TEST_F(SimPlatform, RefusesHostsWithoutARoute) {
  const SimSetup setup = platform(kTwoHosts);
  EXPECT_EQ(refusal(setup, 2), setup.platform_file + ": no route connects a2 and b10");
}

TEST_F(SimPlatform, RefusesLinksBesideAFile) {
  SimSetup setup = platform(std::string(kTwoHosts) + kTheirRoute);
  setup.links = {{.a = 0, .b = 1, .bandwidth = 1.0, .latency = {}}};
  const auto is_refused = HasSubstr("those of single pairs and machines cannot be given beside it");
  EXPECT_THAT(refusal(setup, 2), is_refused);
  setup.links.clear();
  setup.machine_bandwidth = {{0, 1e6}};
  EXPECT_THAT(refusal(setup, 2), is_refused);
}

TEST(SimCompute, NodesTakeTheirTime) {
  ComputeModel model;
  EXPECT_EQ(model.step_time(1, 0, 0), 0ns);
  model.per_step = 10ms;
  model.per_node = {{2, 25ms}};
  EXPECT_EQ(model.step_time(1, 0, 7), 10ms);
  EXPECT_EQ(model.step_time(1, 2, 7), 25ms);
}

TEST(SimCompute, StragglersAreDrawnPerNodeAndRound) {
  const ComputeModel model{
      .per_step = 10ms, .per_node = {}, .straggler_probability = 0.25, .straggler_factor = 4};
  constexpr int kDraws = 40'000;
  int slow = 0;
  bool nodes_differ = false;
  for (int i = 0; i < kDraws; ++i) {
    const auto round = static_cast<Round>(i);
    const Duration time = model.step_time(3, 1, round);
    ASSERT_TRUE(time == 10ms || time == 40ms);
    ASSERT_EQ(time, model.step_time(3, 1, round)) << "a function of its arguments";
    nodes_differ |= time != model.step_time(3, 2, round);
    slow += time == 40ms;
  }
  EXPECT_TRUE(nodes_differ);
  // Six standard deviations of a binomial: 6 sqrt(40000 * 0.25 * 0.75) = 520.
  EXPECT_NEAR(slow, kDraws / 4, 520);
}

}  // namespace
}  // namespace gossamer
