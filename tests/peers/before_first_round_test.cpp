// Peers that wait for others before the first round: what they say, and that they can be stopped.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/peers/cluster.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A deadline that nobody lives to see: whoever ends at once does not wait for it.
const Arguments kPatient = {"--task",          "quadratic", "--dim",      "5",
                            "--algorithm",     "dpsgd",     "--rounds",   "20",
                            "--peer-deadline", "1h",        "--patience", "1h"};

/// Until it has said so on standard error.
void wait_until_said(RunningProgram& peer, const std::string& text) {
  ASSERT_TRUE(peer.wait_until([&](const ProgramResult& printed) {
    return printed.err.find(text) != std::string::npos;
  })) << text;
}

TEST(BeforeTheFirstRound, APeerSaysForWhomItWaitsAndWhyAndStopsAtOnce) {
  Cluster cluster(3);
  const Arguments settings = kPatient + Arguments{"--run-dir", cluster.path("run")};
  cluster.start(1, settings);
  wait_until_said(cluster.peer(1), "waiting for node 0 (its connection was refused)");
  cluster.peer(1).send(SIGINT);
  const ProgramResult stopped = cluster.peer(1).finish();
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_THAT(stopped.err, HasSubstr(", node 2 (its connection was refused); 5 s so far\n"));
  EXPECT_THAT(stopped.err, HasSubstr("gossamer: stopped before the first round: nothing was done"));
  // Nothing was: the same command begins the run.
  expect_all_ended_with(0, cluster.run(settings));
}

TEST(BeforeTheFirstRound, AllWhoWaitStopTogether) {
  Cluster cluster(4);
  for (const NodeId node : {0u, 1u, 2u})
    cluster.start(node, kPatient);
  for (const NodeId node : {0u, 1u, 2u})
    wait_until_said(cluster.peer(node), "waiting for node 3 (");
  cluster.peer(1).send(SIGTERM);
  for (const NodeId node : {0u, 1u, 2u}) {
    const ProgramResult stopped = cluster.peer(node).finish();
    EXPECT_EQ(stopped.exit_code, 130) << "node " << node << ": " << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("stopped before the first round")) << "node " << node;
  }
}

TEST(BeforeTheFirstRound, OneThatOthersGoOnWithoutStopsAlone) {
  Cluster cluster(3);
  const Arguments settings = kPatient + Arguments{"--on-peer-loss", "drop"};
  cluster.start(0, settings);
  cluster.start(1, settings);
  wait_until_said(cluster.peer(0), "waiting for node 2 (");
  cluster.peer(0).send(SIGINT);
  EXPECT_EQ(cluster.peer(0).finish().exit_code, 130);
  // The other one waits on.
  wait_until_said(cluster.peer(1), "; 10 s so far");
}

TEST(BeforeTheFirstRound, APeerSaysThatAnotherHasACertificateOfSomebodyElse) {
  const TemporaryFolder folder;
  const std::vector<ReservedPort> ports(2);
  const std::string peers = folder.path("peers.toml");
  for (NodeId node = 0; node < 2; ++node) {
    const std::string keys = folder.path(fmt::format("keys-{}", node));
    ASSERT_EQ(run_program({"keys", "init", keys, "--nodes", "2"}).exit_code, 0);
    std::ofstream(peers, std::ios::app)
        << fmt::format("[[peer]]\nid = {}\naddress = \"127.0.0.1:{}\"\nkeys = \"{}\"\n", node,
                       ports[node].number(), keys);
  }
  const auto command_of = [&](NodeId node) {
    return Arguments{GOSSAMER_PROGRAM, "train", "--network", "tls",
                     "--peers",        peers,   "--node",    fmt::format("{}", node)} +
           kPatient;
  };
  RunningProgram first(command_of(0));
  RunningProgram second(command_of(1));
  wait_until_said(second, "waiting for node 0 (it");
  EXPECT_TRUE(second.wait_until([](const ProgramResult& printed) {
    return printed.err.find("certificate") != std::string::npos;
  }));
  second.send(SIGINT);
  const ProgramResult stopped = second.finish();
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_THAT(stopped.err, AllOf(HasSubstr("waiting for node 0 ("), HasSubstr("certificate")));
}

}  // namespace
}  // namespace gossamer::testing
