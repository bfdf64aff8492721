// Peers whose neighbour is killed, and who are told to stop then.
#include <csignal>
#include <string>

#include "tests/peers/cluster.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ContainsRegex;

TEST(PeerLoss, EndsTheRunOfAllAndAllSayWhy) {
  Cluster cluster(4);
  cluster.start_all({"--task", "quadratic", "--dim", "20", "--algorithm", "choco", "--gamma", "0.2",
                     "--compressor", "sign", "--lr", "0.001", "--rounds", "10000000", "--json",
                     "--peer-deadline", "2s"});
  ASSERT_TRUE(cluster.peer(0).wait_until([](const ProgramResult& printed) {
    return printed.out.find("\"round\":100,") != std::string::npos;
  }));
  cluster.peer(2).send(SIGKILL);
  const auto results = cluster.finish_all();
  EXPECT_EQ(results[2].exit_code, 128 + SIGKILL);
  for (const NodeId node : {0u, 1u, 3u}) {
    EXPECT_EQ(results[node].exit_code, 3) << results[node].err;
    EXPECT_THAT(results[node].err,
                ContainsRegex("gossamer: node [13] lost node 2 in round [0-9]+: "));
    const nlohmann::json summary = json_lines(results[node].out).back().at("summary");
    EXPECT_EQ(summary.at("outcome"), "lost") << summary;
  }
}

}  // namespace
}  // namespace gossamer::testing
