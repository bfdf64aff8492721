// Peers whose neighbour is killed, and who are told to stop then.
#include <algorithm>
#include <csignal>
#include <regex>
#include <string>

#include "tests/peers/cluster.hpp"
#include "tests/train/runs.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr NodeId kPeers = 4;
constexpr NodeId kKilled = 2;
constexpr NodeId kOthers[] = {0, 1, 3};
constexpr Round kRounds = 1000;
/// As long as nobody says otherwise.
constexpr Round kInterval = 100;

// Nobody gives up by himself: what ends the run is the loss.
Arguments choco(Round rounds) {
  return {"--task",       "quadratic", "--dim",    "20",
          "--noise",      "0.1",       "--lr",     "0.001",
          "--algorithm",  "choco",     "--gamma",  "0.2",
          "--compressor", "sign",      "--rounds", fmt::format("{}", rounds),
          "--patience",   "1h",        "--json"};
}

void wait_for_round(Cluster& cluster, NodeId node, Round round) {
  ASSERT_TRUE(cluster.peer(node).wait_until([&](const ProgramResult& printed) {
    return printed.out.find(fmt::format("\"round\":{},", round)) != std::string::npos;
  }));
}

TEST(PeerLoss, EndsTheRunOfAllAndAllSayWhy) {
  Cluster cluster(kPeers);
  cluster.start_all(choco(10000000) + Arguments{"--peer-deadline", "2s"});
  wait_for_round(cluster, 0, 100);
  cluster.peer(kKilled).send(SIGKILL);
  const auto results = cluster.finish_all();
  EXPECT_EQ(results[kKilled].exit_code, 128 + SIGKILL);
  for (const NodeId node : kOthers) {
    EXPECT_EQ(results[node].exit_code, 3) << results[node].err;
    EXPECT_THAT(results[node].err,
                ContainsRegex("gossamer: node [13] lost node 2 in round [0-9]+: .*, and its "
                              "message of this round never came; that was [0-9.]+ s after node "
                              "[13] had begun; "));
    EXPECT_THAT(results[node].err, HasSubstr("no checkpoint to go on from: the run has no folder"));
    const nlohmann::json summary = json_lines(results[node].out).back().at("summary");
    EXPECT_EQ(summary.at("outcome"), "lost") << summary;
  }
}

struct Ending {
  Round lost_in = 0;
  Round newest = 0;
};

Ending ending_of(const ProgramResult& result) {
  std::smatch found;
  const std::regex sentence(
      "lost node 2 in round ([0-9]+): .*; start all nodes with --resume to go on from round "
      "([0-9]+)");
  EXPECT_TRUE(std::regex_search(result.err, found, sentence)) << result.err;
  if (found.empty()) return {};
  return {std::stoull(found[1]), std::stoull(found[2])};
}

void expect_models_of_one_process(const Cluster& cluster, const std::string& run) {
  const std::string one = cluster.path("one-process");
  const ProgramResult whole =
      run_program(Arguments{"train", "--nodes", fmt::format("{}", kPeers), "--run-dir", one,
                            "--checkpoint-every", fmt::format("{}", kRounds)} +
                  choco(kRounds));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  for (NodeId node = 0; node < kPeers; ++node) {
    const std::string model = model_of_node(one, node, kRounds);
    EXPECT_FALSE(model.empty());
    EXPECT_TRUE(model == model_of_peer(run, node, kRounds)) << "node " << node;
  }
}

TEST(PeerLoss, LeavesACheckpointThatAllGoOnFrom) {
  Cluster cluster(kPeers);
  const std::string run = cluster.path("run");
  const Arguments settings = choco(kRounds) + Arguments{"--peer-deadline", "2s", "--run-dir", run};
  // The first reports every round, so that it says where it goes on from.
  for (NodeId node = 0; node < kPeers; ++node) {
    cluster.start(node,
                  node == 0 ? settings + Arguments{"--report", rounds_up_to(kRounds)} : settings);
  }
  wait_for_round(cluster, kKilled, 200);
  // All others wait for it: the run must not be over before one is killed.
  cluster.peer(0).hold();
  cluster.peer(kKilled).send(SIGKILL);
  cluster.peer(0).release();
  Round newest_of_all = kRounds;
  const auto results = cluster.finish_all();
  for (const NodeId node : kOthers) {
    EXPECT_EQ(results[node].exit_code, 3) << results[node].err;
    const Ending ending = ending_of(results[node]);
    EXPECT_EQ(ending.newest % kInterval, 0u);
    // Of a node that is at most as many rounds away as there are others.
    EXPECT_LE(ending.newest, ending.lost_in + kPeers);
    EXPECT_LT(ending.lost_in, ending.newest + kInterval + kPeers);
    newest_of_all = std::min(newest_of_all, ending.newest);
  }

  const auto resumed = cluster.run({"--resume", run, "--json"});
  expect_all_ended_with(0, resumed);
  const Round begun = json_lines(resumed[0].out).front().at("round").get<Round>() - 1;
  EXPECT_EQ(begun % kInterval, 0u);
  EXPECT_LE(begun, newest_of_all);
  EXPECT_GE(begun + kInterval, newest_of_all);
  expect_models_of_one_process(cluster, run);
}

}  // namespace
}  // namespace gossamer::testing
