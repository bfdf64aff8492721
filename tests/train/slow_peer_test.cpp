// Processes on a virtual clock, one of which is slower than the others: who is named, and who is
// not.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/support/event_callback.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/sentence.hpp"
#include "gossamer/network/sim/sim.hpp"
#include "gossamer/train/process_run.hpp"

namespace gossamer::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Cause = SlowPeer::Cause;

constexpr NodeId kNodes = 6;

/// Rounds of 50 ms of computing and 10 ms of travel; nobody waits for long.
RunConfig usual(const std::string& algorithm, const std::string& topology) {
  RunConfig config = config_of({{"task", "quadratic"},
                                {"dim", "1000"},
                                {"nodes", fmt::format("{}", kNodes)},
                                {"topology", topology},
                                {"algorithm", algorithm},
                                {"lr", "0.01"},
                                {"rounds", "600"},
                                {"report", "600"},
                                {"network", "sim"},
                                {"sim.compute", "50ms"},
                                {"sim.latency", "10ms"}});
  config.gamma = "0.4";
  return config;
}

/// What each process told of slow peers.
std::vector<std::vector<SlowPeer>> told_in(const RunConfig& config) {
  GammaTuner gammas;
  const auto experiment = std::move(make_experiment(config, gammas)).value();
  std::vector<std::vector<SlowPeer>> told(experiment->endpoints());
  const Result<void> ran =
      run_sim(experiment->endpoints(), experiment->config.sim, [&](Network& network) {
        EventCallback events([&](const Event& event) {
          if (const auto* const slow = std::get_if<SlowPeer>(&event.what))
            told[event.node].push_back(*slow);
        });
        RunOptions options;
        options.events = &events;
        const RunOutcome outcome = run_process(*experiment, network, options, Seen::kSelf);
        EXPECT_FALSE(outcome.failure) << outcome.failure->sentence;
      });
  EXPECT_TRUE(ran) << ran.error().message;
  return told;
}

/// One event, and the same by all, whose nodes wait for more than half of the time.
void expect_named(const std::vector<std::vector<SlowPeer>>& told, NodeId peer, Cause cause,
                  std::optional<NodeId> other = std::nullopt) {
  for (NodeId node = 0; node < kNodes; ++node) {
    ASSERT_THAT(told[node], SizeIs(1)) << "node " << node;
    const SlowPeer& slow = told[node].front();
    EXPECT_EQ(slow.peer, peer) << "node " << node;
    EXPECT_EQ(slow.other, other) << "node " << node;
    EXPECT_EQ(slow.cause, cause) << "node " << node;
    EXPECT_GT(slow.share, 0.5) << "node " << node;
    EXPECT_LE(slow.share, 1.0) << "node " << node;
  }
}

class SlowPeers : public ::testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  [[nodiscard]] static RunConfig config() { return usual(GetParam().first, GetParam().second); }
};

INSTANTIATE_TEST_SUITE_P(Methods, SlowPeers,
                         ::testing::Values(std::pair("dpsgd", "ring"), std::pair("choco", "ring"),
                                           std::pair("choco", "complete"),
                                           std::pair("dpsgd", "torus:2x3")),
                         [](const auto& method) {
                           return fmt::format("{}{}", method.param.first, method.index);
                         });

TEST_P(SlowPeers, AreNotNamedWhereAllAreEqual) {
  EXPECT_THAT(told_in(config()), Each(IsEmpty()));
}

// 4 kB in a message, and all that a node sends goes through a connection of 40 kB/s: everybody
// waits, and nobody more than the others.
TEST_P(SlowPeers, AreNotNamedWhereAllLinksAreEquallySlow) {
  RunConfig slow = config();
  slow.sim.bandwidth = 40e3;
  EXPECT_THAT(told_in(slow), Each(IsEmpty()));
}

TEST_P(SlowPeers, AreNamedByAllIfTheyComputeForLong) {
  RunConfig slow = config();
  slow.compute.per_node = {{4, milliseconds(500)}};
  expect_named(told_in(slow), 4, Cause::kComputation);
}

TEST_P(SlowPeers, AreNamedByAllIfTheirConnectionIsSlow) {
  RunConfig slow = config();
  slow.sim.machine_bandwidth = {{4, 12.5e3}};  // 100 kbit/s
  expect_named(told_in(slow), 4, Cause::kLink);
}

TEST_P(SlowPeers, AreTwoIfOneCableIsSlow) {
  RunConfig slow = config();
  slow.sim.links = {{.a = 3, .b = 4, .bandwidth = 6e3, .latency = {}}};
  expect_named(told_in(slow), 3, Cause::kLink, 4);
}

}  // namespace
}  // namespace gossamer::testing
