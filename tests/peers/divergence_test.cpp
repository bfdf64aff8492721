// Peers whose run diverges: all end with the sentence of the node that was the first to, which is
// that of one process, and so again.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/peers/cluster.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/algorithms/registry.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

struct DivergingCase {
  std::string name;
  std::string algorithm;
  Arguments settings;
  NodeId nodes = 4;
};

// A quadratic of which each step is too long. Nobody gives up by himself.
Arguments diverging_quadratic() {
  return {"--task", "quadratic", "--dim", "20",         "--noise", "0.5",
          "--json", "--rounds",  "1000",  "--patience", "1h"};
}

/// How one process or one peer says that its run failed.
struct FailedRun {
  nlohmann::json failure;
  std::string line;

  bool operator==(const FailedRun&) const = default;
};

FailedRun failed_run(const ProgramResult& result) {
  EXPECT_EQ(result.exit_code, 3) << result.err;
  const nlohmann::json summary = json_lines(result.out).back().at("summary");
  EXPECT_TRUE(summary.contains("failure")) << summary;
  EXPECT_EQ(summary.at("outcome"), summary.at("failure").at("kind"));
  // After the warnings.
  const std::size_t last = result.err.rfind("gossamer: ");
  EXPECT_NE(last, std::string::npos) << result.err;
  return {summary.at("failure"), result.err.substr(last)};
}

class DivergingPeers : public ::testing::TestWithParam<DivergingCase> {};

TEST_P(DivergingPeers, EndAsOneProcessDoesEveryTime) {
  const auto& [name, algorithm, more, nodes] = GetParam();
  const Arguments settings = diverging_quadratic() + Arguments{"--algorithm", algorithm} + more;
  std::vector<FailedRun> of_one_process;
  for (const std::string network : {"inproc", "sim"}) {
    of_one_process.push_back(failed_run(run_program(
        Arguments{"train", "--network", network, "--nodes", fmt::format("{}", nodes)} + settings)));
  }
  const FailedRun& expected = of_one_process.front();
  EXPECT_THAT(of_one_process, Each(expected));
  EXPECT_THAT(expected.failure.at("kind").get<std::string>(), AnyOf("diverged", "non-finite"));
  EXPECT_GT(expected.failure.at("round"), 0);
  EXPECT_THAT(expected.line, HasSubstr("diverged"));
  const bool has_coordinator = find_algorithm(algorithm).value().reach == Reach::kCoordinator;
  Cluster cluster(has_coordinator ? nodes + 1 : nodes);
  for (int repetition = 0; repetition < 3; ++repetition) {
    std::vector<FailedRun> of_peers;
    for (const ProgramResult& peer : cluster.run(settings))
      of_peers.push_back(failed_run(peer));
    EXPECT_THAT(of_peers, Each(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Every, DivergingPeers,
    ::testing::Values(
        DivergingCase{"Dpsgd", "dpsgd", {"--lr", "0.15"}},
        DivergingCase{
            "ChocoOnAChain",
            "choco",
            {"--topology", "chain", "--compressor", "sign", "--gamma", "0.3", "--lr", "0.5"},
            6},
        DivergingCase{"DcdWithTheMeanAtReports",
                      "dcd",
                      {"--compressor", "randk:0.2,unbiased", "--lr", "0.1", "--report", "4,8,12",
                       "--report-mean", "yes"}},
        DivergingCase{"Allreduce", "allreduce", {"--lr", "0.5"}},
        DivergingCase{"ACoordinator", "qsparse-async", {"--lr", "0.5", "--local-steps", "2"}},
        DivergingCase{
            "OneOfManyGraphs", "dpsgd", {"--topology", "one-peer-exponential", "--lr", "0.2"}},
        DivergingCase{
            "NumbersThatAreNotFinite",
            "choco",
            {"--compressor", "sign", "--gamma", "0.3", "--lr", "1e3", "--loss-limit", "1e300"}}),
    [](const auto& tested) { return tested.param.name; });

// Nobody computes a loss of the last model: that it is none shows in the mean of all.
TEST(DivergingInTheLastRound, IsToldByAllPeersAlike) {
  const Arguments settings =
      diverging_quadratic() +
      Arguments{"--algorithm", "dpsgd", "--lr", "1e25", "--loss-limit", "1e300", "--rounds", "2"};
  const FailedRun expected = failed_run(run_program(Arguments{"train", "--nodes", "3"} + settings));
  EXPECT_EQ(expected.failure.at("quantity"), "model");
  EXPECT_EQ(expected.failure.at("round"), 2);
  Cluster cluster(3);
  for (const ProgramResult& peer : cluster.run(settings))
    EXPECT_EQ(failed_run(peer), expected);
}

// As a user starts them, and reads them.
TEST(LaunchedPeers, PrintOneSentenceWhenTheirRunDiverges) {
  Cluster cluster(3);
  const ProgramResult result =
      run_program(Arguments{"launch", "--peers", cluster.peers_file(), "--local", "--", "train"} +
                  diverging_quadratic() + Arguments{"--algorithm", "dpsgd", "--lr", "0.15"});
  EXPECT_EQ(result.exit_code, 3);
  std::vector<std::string> sentences;
  std::istringstream in(result.err);
  for (std::string line; std::getline(in, line);) {
    const std::size_t begin = line.find(" has diverged after ");
    if (begin != std::string::npos) sentences.push_back(line.substr(line.find("gossamer: ")));
    EXPECT_THAT(line, Not(HasSubstr(" lost node ")));
  }
  ASSERT_EQ(sentences.size(), 3u) << result.err;
  EXPECT_THAT(sentences, Each(sentences.front()));
}

// Those who go on without one that is lost go on without one that has diverged. Node 3 alone has
// data, and steps, that are too large.
TEST(DivergingPeer, LeavesAloneWhereTheOthersGoOn) {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (int node = 0; node < 4; ++node) {
    files.push_back(folder.path(fmt::format("rows-{}", node)));
    std::ofstream file(files.back());
    for (int row = 0; row < 4; ++row)
      file << fmt::format("{} 1:{} 2:1\n", row % 2 == 0 ? 1 : -1, node == 3 ? 1e6 : row + 1.0);
  }
  Cluster cluster(4, files);
  const auto results =
      cluster.run({"--task", "least-squares", "--algorithm", "dpsgd", "--lr", "0.01", "--rounds",
                   "200", "--on-peer-loss", "drop", "--peer-deadline", "2s", "--json"});
  EXPECT_EQ(results[3].exit_code, 3) << results[3].err;
  EXPECT_THAT(results[3].err, HasSubstr("node 3 has diverged"));
  for (NodeId node = 0; node < 3; ++node)
    EXPECT_EQ(results[node].exit_code, 0) << results[node].err;
}

}  // namespace
}  // namespace gossamer::testing
