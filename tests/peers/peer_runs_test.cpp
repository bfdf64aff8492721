// `gossamer train --network tls` where all goes well.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/peers/cluster.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr NodeId kPeers = 4;

Arguments choco(Round rounds) {
  return {"--task",       "quadratic",
          "--dim",        "20",
          "--noise",      "0.1",
          "--algorithm",  "choco",
          "--lr",         "0.01",
          "--gamma",      "0.3",
          "--compressor", "sign",
          "--optimizer",  "heavy-ball:0.9",
          "--rounds",     fmt::format("{}", rounds)};
}

class PeerRuns : public ::testing::Test {
 protected:
  [[nodiscard]] static Arguments kept_in(const std::string& folder) {
    return {"--run-dir", folder, "--checkpoint-every", "20"};
  }

  /// Compares models with those of one process after so many rounds.
  void expect_models_of_one_process(const std::string& run, Round rounds) {
    const std::string one = cluster_.path("one-process");
    const ProgramResult result = run_program(
        Arguments{"train", "--nodes", fmt::format("{}", kPeers)} + choco(rounds) + kept_in(one));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    for (NodeId node = 0; node < kPeers; ++node) {
      const std::string model = model_of_node(one, node, rounds);
      EXPECT_FALSE(model.empty());
      EXPECT_TRUE(model == model_of_peer(run, node, rounds)) << "node " << node;
    }
  }

  Cluster cluster_{kPeers};
};

TEST_F(PeerRuns, SayNothingWhereThereIsNoNews) {
  for (const ProgramResult& peer : cluster_.run(choco(50) + Arguments{"--json"})) {
    EXPECT_EQ(peer.exit_code, 0);
    EXPECT_EQ(peer.err, "");
    EXPECT_EQ(json_lines(peer.out).back().at("summary").at("network"), "tls");
  }
}

TEST_F(PeerRuns, SayHowOftenTheyMakeCheckpoints) {
  const Arguments kept = choco(10) + Arguments{"--run-dir"};
  for (const ProgramResult& peer : cluster_.run(kept + Arguments{cluster_.path("some")}))
    EXPECT_THAT(peer.out, HasSubstr("\na checkpoint every 100 rounds\n"));
  for (const ProgramResult& peer :
       cluster_.run(kept + Arguments{cluster_.path("none"), "--checkpoint-every", "0"}))
    EXPECT_THAT(peer.out, Not(HasSubstr("a checkpoint every")));
}

TEST_F(PeerRuns, AreTheSameWithoutTls) {
  const std::string run = cluster_.path("run");
  expect_all_ended_with(0, cluster_.run(choco(40) + kept_in(run) + Arguments{"--insecure"}));
  expect_models_of_one_process(run, 40);
}

TEST_F(PeerRuns, StartInAnyOrder) {
  const std::string run = cluster_.path("run");
  for (const NodeId node : {3u, 1u, 2u, 0u}) {
    cluster_.start(node, choco(40) + kept_in(run));
    cluster_.wait_until_listening(node);
  }
  expect_all_ended_with(0, cluster_.finish_all());
  expect_models_of_one_process(run, 40);
}

TEST_F(PeerRuns, GoOnFromCheckpoints) {
  const std::string run = cluster_.path("run");
  expect_all_ended_with(0, cluster_.run(choco(40) + kept_in(run)));
  expect_all_ended_with(0, cluster_.run({"--resume", run, "--rounds", "60"}));
  expect_models_of_one_process(run, 60);
}

TEST_F(PeerRuns, GoOnFromTheNewestRoundThatAllHave) {
  const std::string run = cluster_.path("run");
  expect_all_ended_with(0, cluster_.run(choco(40) + kept_in(run)));
  const std::string lost = run + "/node-00001/checkpoints/round-000000040";
  ASSERT_GT(std::filesystem::remove_all(lost), 0u);
  const auto resumed =
      cluster_.run({"--resume", run, "--rounds", "60", "--json", "--report", "10,30,50"});
  expect_all_ended_with(0, resumed);
  for (const ProgramResult& peer : resumed)
    EXPECT_EQ(json_lines(peer.out).front().at("round"), 30);
  expect_models_of_one_process(run, 60);
}

/// LIBSVM rows that can nearly be told apart.
void write_rows(const std::string& path, int rows) {
  std::ofstream file(path);
  for (int row = 0; row < rows; ++row) {
    const int label = row % 2 == 0 ? 1 : -1;
    file << fmt::format("{} 1:{} 2:0.{} 3:1\n", label, 0.5 * label, row * 7 % 10);
  }
}

TEST(PeersWithData, TrainOnTheirOwn) {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (int node = 0; node < 4; ++node) {
    files.push_back(folder.path(fmt::format("rows-{}", node)));
    write_rows(files.back(), 10 + 5 * node);
  }
  Cluster cluster(kPeers, files);
  const Arguments settings = {"--task", "logistic", "--algorithm", "dpsgd", "--lr",
                              "0.1",    "--rounds", "50",          "--json"};
  const auto results = cluster.run(settings);
  expect_all_ended_with(0, results);
  for (std::size_t node = 0; node < results.size(); ++node) {
    const std::vector<nlohmann::json> rows = json_lines(results[node].out);
    ASSERT_GT(rows.size(), 2u);
    const nlohmann::json last = rows[rows.size() - 2];
    EXPECT_EQ(last.at("round"), 50);
    // An epoch is once through the rows of its own.
    EXPECT_DOUBLE_EQ(last.at("epoch"), 50.0 / (10.0 + 5.0 * static_cast<double>(node)));
    EXPECT_LT(last.at("objective"), rows.front().at("own_objective"));
  }
}

}  // namespace
}  // namespace gossamer::testing
