// What peers leave behind: the averaged model, the same at all of them, and the story of their run.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/peers/lost_and_back.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"
#include "gossamer/store/safetensors.hpp"

namespace gossamer::testing {
namespace {

std::string file_in(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error().message;
  return {bytes.value().begin(), bytes.value().end()};
}

std::string mean_of_peer(const std::string& run, NodeId node) {
  return file_in(fmt::format("{}/node-{:05}/model.safetensors", run, node));
}

/// Kinds of events in the file that a peer keeps, in their order.
std::vector<std::string> events_of_peer(const std::string& run, NodeId node) {
  std::ifstream file(fmt::format("{}/node-{:05}/events.jsonl", run, node));
  std::vector<std::string> kinds;
  for (std::string line; std::getline(file, line);)
    kinds.push_back(nlohmann::json::parse(line).at("event"));
  return kinds;
}

const Arguments kChoco = {"--task", "quadratic", "--dim",   "40",  "--noise",      "0.1",
                          "--lr",   "0.01",      "--gamma", "0.2", "--compressor", "sign"};

TEST(PeersMean, IsTheSameFileAtAllPeersAndInOneProcess) {
  Cluster cluster(3);
  const Arguments settings = kChoco + Arguments{"--rounds", "60", "--json"};
  expect_all_ended_with(0, cluster.run(settings + Arguments{"--run-dir", cluster.path("tls")}));
  const ProgramResult one =
      run_program(Arguments{"train", "--nodes", "3"} + settings +
                  Arguments{"--network", "inproc", "--run-dir", cluster.path("one")});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  const std::string expected = file_in(cluster.path("one") + "/model.safetensors");
  EXPECT_THAT(expected, ::testing::HasSubstr("mean over 3 nodes"));
  for (NodeId node = 0; node < 3; ++node) {
    EXPECT_TRUE(mean_of_peer(cluster.path("tls"), node) == expected) << "node " << node;
    EXPECT_THAT(events_of_peer(cluster.path("tls"), node),
                ::testing::AllOf(::testing::Contains("began"), ::testing::Contains("measured"),
                                 ::testing::Contains("ended")));
  }
}

// The control: before the mean is taken, models differ.
TEST(PeersMean, IsNotWhatEachPeerHasByItself) {
  Cluster cluster(3);
  expect_all_ended_with(0, cluster.run(kChoco + Arguments{"--rounds", "60", "--checkpoint-every",
                                                          "60", "--run-dir", cluster.path("run")}));
  std::set<std::string> models;
  for (NodeId node = 0; node < 3; ++node)
    models.insert(model_of_peer(cluster.path("run"), node, 60));
  EXPECT_EQ(models.size(), 3u);
}

TEST(PeersMean, IsTheSameFileAmongThoseWhoSurviveALoss) {
  constexpr NodeId kKilled = 2;
  Cluster cluster(4);
  const std::string run = cluster.path("run");
  const Arguments settings =
      kChoco + Arguments{"--rounds", "20000",           "--json", "--on-peer-loss",
                         "drop",     "--peer-deadline", "1s",     "--run-dir",
                         run};
  cluster.start_all(settings);
  ASSERT_TRUE(cluster.peer(kKilled).wait_until([](const ProgramResult& printed) {
    return printed.out.find("\"round\":100,") != std::string::npos;
  }));
  cluster.peer(kKilled).send(SIGKILL);
  (void)cluster.peer(kKilled).finish();
  std::set<std::string> means;
  for (const NodeId node : {0u, 1u, 3u}) {
    const ProgramResult result = cluster.peer(node).finish();
    EXPECT_EQ(result.exit_code, 0) << "node " << node << ": " << result.err;
    means.insert(mean_of_peer(run, node));
  }
  EXPECT_EQ(means.size(), 1u);
  EXPECT_THAT(*means.begin(), ::testing::HasSubstr("mean over 3 nodes"));
  EXPECT_THAT(events_of_peer(run, 1), ::testing::IsSupersetOf({"peer-lost", "edge-lost", "ended"}));
}

// Among all who are there at the end, also the one that was away for a part of the run.
TEST(PeersMean, IsTheSameFileAlsoAtOneThatWasKilledAndCameBack) {
  constexpr Round kRounds = 4000;
  LostAndBack peers;
  const std::string run = peers.path("run");
  const Arguments settings =
      kChoco + LostAndBack::drop() +
      Arguments{"--rounds", fmt::format("{}", kRounds), "--json", "--run-dir",
                run,        "--checkpoint-every",       "50"};
  peers.start_all(settings);
  peers.kill_one(100);
  peers.start_again({"--resume", run, "--json"});
  expect_all_ended_with(0, peers.cluster().finish_all());
  std::set<std::string> means;
  std::set<std::string> own_models;
  for (NodeId node = 0; node < LostAndBack::kPeers; ++node) {
    means.insert(mean_of_peer(run, node));
    own_models.insert(model_of_peer(run, node, kRounds));
  }
  EXPECT_EQ(means.size(), 1u);
  EXPECT_THAT(*means.begin(), ::testing::HasSubstr("mean over 6 nodes"));
  // The control: before the mean was taken, all differed.
  EXPECT_EQ(own_models.size(), LostAndBack::kPeers);
  EXPECT_THAT(events_of_peer(run, LostAndBack::kKilled),
              ::testing::IsSupersetOf({"joined", "edge-back", "ended"}));
}

}  // namespace
}  // namespace gossamer::testing
