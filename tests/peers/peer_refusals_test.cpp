// `gossamer train --network tls` where something is wrong from the beginning.
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

using ::testing::AllOf;
using ::testing::HasSubstr;

const Arguments kQuadratic = {"--task", "quadratic", "--dim", "5", "--rounds", "5"};
const Arguments kLogistic = {"--task", "logistic", "--algorithm", "dpsgd"};

/// One of four differs: all end, and all say how.
void expect_disagreement(const Arguments& usual, const Arguments& odd, const std::string& key,
                         const std::string& value, const std::string& odd_value) {
  Cluster cluster(4);
  const Arguments settings = kQuadratic + Arguments{"--algorithm", "choco", "--gamma", "0.2"};
  for (NodeId node = 0; node < 4; ++node)
    cluster.start(node, settings + (node == 2 ? odd : usual));
  const auto results = cluster.finish_all();
  expect_all_ended_with(2, results);
  for (NodeId node = 0; node < 4; ++node) {
    const std::string& here = node == 2 ? odd_value : value;
    const std::string& there = node == 2 ? value : odd_value;
    EXPECT_THAT(results[node].err,
                HasSubstr(fmt::format("{} is '{}' there and '{}' here", key, there, here)));
    EXPECT_THAT(results[node].err, HasSubstr("node 2"));
  }
}

TEST(PeerRefusals, AnotherCompressor) {
  expect_disagreement({"--compressor", "sign"}, {"--compressor", "topk:0.2"}, "compressor", "sign",
                      "topk:0.2");
}

TEST(PeerRefusals, AnotherSeed) {
  expect_disagreement({"--compressor", "sign", "--seed", "1"},
                      {"--compressor", "sign", "--seed", "2"}, "seed", "1", "2");
}

TEST(PeerRefusals, NoPeersFile) {
  EXPECT_THAT(refusal_of(Arguments{"train", "--network", "tls"} + kQuadratic),
              HasSubstr("give --peers FILE --node I"));
}

TEST(PeerRefusals, NoSuchNode) {
  const Cluster cluster(3);
  EXPECT_THAT(refusal_of(cluster.train_as(3) + kQuadratic),
              HasSubstr("names the peers 0 to 2, and no 3"));
}

TEST(PeerRefusals, PeersOfAnotherNetwork) {
  const Cluster cluster(3);
  EXPECT_THAT(
      refusal_of(Arguments{"train", "--peers", cluster.peers_file(), "--node", "0"} + kQuadratic),
      HasSubstr("belong to --network tls"));
}

TEST(PeerRefusals, KeysThatOthersCanRead) {
  const TemporaryFolder folder;
  const std::string keys = folder.path("keys");
  ASSERT_EQ(run_program({"keys", "init", keys, "--nodes", "1"}).exit_code, 0);
  const std::string key = keys + "/node-00000.key";
  std::filesystem::permissions(key, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  const ReservedPort port;
  const std::string peers = folder.path("peers.toml");
  std::ofstream(peers) << fmt::format(
      "[[peer]]\nid = 0\naddress = \"127.0.0.1:{}\"\nkeys = \"{}\"\n", port.number(), keys);
  EXPECT_THAT(refusal_of(Arguments{"train", "--network", "tls", "--peers", peers, "--node", "0"} +
                         kQuadratic),
              AllOf(HasSubstr("is open to other users"), HasSubstr("chmod 600 " + key)));
}

TEST(PeerRefusals, AlgorithmsThatNeedEverybody) {
  const Cluster cluster(3);
  const Arguments drop = cluster.train_as(0) + kQuadratic + Arguments{"--on-peer-loss", "drop"};
  EXPECT_THAT(refusal_of(drop + Arguments{"--algorithm", "allreduce"}),
              AllOf(HasSubstr("allreduce on 'ring' cannot go on without a lost peer"),
                    HasSubstr("give --on-peer-loss stop")));
  EXPECT_THAT(refusal_of(drop + Arguments{"--algorithm", "choco:sum", "--compressor", "sign",
                                          "--gamma", "0.1"}),
              HasSubstr("choco:sum keeps one sum over all neighbours"));
}

TEST(PeerRefusals, DataOfSomeAlone) {
  const TemporaryFolder folder;
  const std::string rows = folder.path("rows");
  std::ofstream(rows) << "1 1:1\n-1 1:0.5\n";
  const Cluster cluster(3, {rows, "", rows});
  for (const NodeId node : {0u, 1u}) {
    EXPECT_THAT(refusal_of(cluster.train_as(node) + kLogistic + Arguments{"--rounds", "5"}),
                HasSubstr("some peers have data of their own, but node 1 has none"));
  }
}

TEST(PeerRefusals, EpochsOfDifferentData) {
  const TemporaryFolder folder;
  const std::string rows = folder.path("rows");
  std::ofstream(rows) << "1 1:1\n-1 1:0.5\n";
  const Cluster cluster(3, {rows, rows, rows});
  EXPECT_THAT(refusal_of(cluster.train_as(0) + kLogistic + Arguments{"--epochs", "2"}),
              HasSubstr("epochs of different lengths: give rounds"));
}

}  // namespace
}  // namespace gossamer::testing
