// examples/own_loop as users start it: one loop, the same bits on every network, and what becomes
// of a run that is stopped or loses somebody.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/e2e/run_output.hpp"
#include "tests/peers/cluster.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using testing::Arguments;
using testing::Cluster;
using testing::expect_all_ended_with;
using testing::file_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ProgramResult;
using testing::run_command;
using testing::operator+;

constexpr NodeId kNodes = 4;
const Arguments kOwnLoop = {GOSSAMER_OWN_LOOP};

/// Of the model in a folder; a whole one is too long to print.
std::string mean_in(const std::string& folder) {
  const std::string path = folder + "/model.safetensors";
  if (!std::filesystem::exists(path)) return "there is no " + path;
  return fmt::format("digest {:016x}", std::hash<std::string>()(file_text(path)));
}

std::string mean_of_peer(const std::string& run, NodeId node) {
  return mean_in(fmt::format("{}/node-{:05}", run, node));
}

/// The settings of a run of four nodes, kept in a folder.
Arguments kept_in(const std::string& folder, const Arguments& more = {}) {
  return Arguments{"--run-dir", folder} + more;
}

/// What threads make of the same settings.
std::string mean_of_threads(const Arguments& settings) {
  const testing::TemporaryFolder folder;
  const ProgramResult result =
      run_command(kOwnLoop + Arguments{"--nodes", "4"} + settings + kept_in(folder.path("run")));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" of 10000 right\n"));
  return mean_in(folder.path("run"));
}

void expect_all_have(const std::string& mean, const std::string& run) {
  ASSERT_THAT(mean, ::testing::StartsWith("digest"));
  for (NodeId node = 0; node < kNodes; ++node)
    EXPECT_EQ(mean_of_peer(run, node), mean) << "node " << node;
}

void wait_for_file(const std::string& path) {
  while (!std::filesystem::exists(path))
    std::this_thread::yield();
}

std::vector<std::string> events_of_peer(const std::string& run, NodeId node) {
  std::vector<std::string> kinds;
  const std::string path = fmt::format("{}/node-{:05}/events.jsonl", run, node);
  for (const nlohmann::json& event : testing::json_lines(file_text(path)))
    kinds.push_back(event.at("event"));
  return kinds;
}

TEST(OwnLoop, LearnsAndIsTheSameEveryTime) {
  const std::string mean = mean_of_threads({});
  EXPECT_EQ(mean_of_threads({}), mean);
  EXPECT_NE(mean_of_threads({"--rounds", "399"}), mean) << "a control";
  const ProgramResult result = run_command(kOwnLoop + Arguments{"--nodes", "4"});
  // Guessing is right for 1,000.
  EXPECT_GT(std::stoi(result.out), 8000) << result.out << result.err;
}

TEST(OwnLoop, HasTheSameBitsWhereItIsSimulated) {
  const Arguments slow = {"--network", "sim", "--set", "sim.bandwidth=10Mbps"};
  EXPECT_EQ(mean_of_threads(slow), mean_of_threads({}));
}

TEST(OwnLoop, TakesAlgorithmsWithACoordinator) {
  const testing::TemporaryFolder folder;
  const ProgramResult result =
      run_command(kOwnLoop + Arguments{"--nodes", "4", "--algorithm", "qsparse", "--local-steps",
                                       "4", "--compressor", "topk:0.1", "--gamma", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GT(std::stoi(result.out), 7000) << result.out;
}

#ifdef GOSSAMER_MPIEXEC
TEST(OwnLoop, HasTheSameBitsUnderMpirun) {
  const testing::TemporaryFolder folder;
  const ProgramResult result = run_command(Arguments{GOSSAMER_MPIEXEC, GOSSAMER_MPIEXEC_FLAG, "4"} +
                                           kOwnLoop + kept_in(folder.path("run")));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(mean_in(folder.path("run")), mean_of_threads({}));
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 1) << result.out << "the first rank speaks";
}
#endif

TEST(OwnLoop, HasTheSameBitsAsPeers) {
  Cluster cluster(kNodes);
  cluster.runs(kOwnLoop);
  const std::string run = cluster.path("run");
  expect_all_ended_with(0, cluster.run(kept_in(run)));
  expect_all_have(mean_of_threads({}), run);
}

TEST(OwnLoop, GoesOnWhereItWasInterrupted) {
  const Arguments long_run = {"--rounds", "1500"};
  const testing::TemporaryFolder folder;
  const std::string run = folder.path("run");
  testing::RunningProgram program(kOwnLoop + Arguments{"--nodes", "4", "--checkpoint-every", "20"} +
                                  long_run + kept_in(run));
  wait_for_file(run + "/checkpoints");
  program.send(SIGINT);
  const ProgramResult stopped = program.finish();
  EXPECT_EQ(stopped.exit_code, 0) << stopped.err;
  EXPECT_THAT(stopped.out, IsEmpty()) << "stopped before the end";
  const ProgramResult resumed = run_command(kOwnLoop + Arguments{"--resume", run});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(mean_in(run), mean_of_threads(long_run));
}

// Nobody would come within the hour that it has for each.
TEST(OwnLoop, CanBeStoppedWhileItWaitsForOthers) {
  Cluster cluster(kNodes);
  cluster.runs(kOwnLoop);
  const std::string run = cluster.path("run");
  const Arguments patient = {"--patience", "1h", "--peer-deadline", "1h"};
  cluster.start(1, kept_in(run, patient));
  cluster.wait_until_listening(1);
  cluster.peer(1).send(SIGINT);
  const ProgramResult stopped = cluster.peer(1).finish();
  EXPECT_EQ(stopped.exit_code, 0) << stopped.err;
  EXPECT_THAT(stopped.out, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(fmt::format("{}/node-00001/checkpoints", run)));
}

TEST(OwnLoop, PeersThatWereAllKilledGoOnFromTheirCheckpoints) {
  const Arguments long_run = {"--rounds", "1500"};
  Cluster cluster(kNodes);
  cluster.runs(kOwnLoop);
  const std::string run = cluster.path("run");
  cluster.start_all(kept_in(run, long_run + Arguments{"--checkpoint-every", "20"}));
  // Of whom the model of round 40 is there, the whole checkpoint of round 20 is.
  for (NodeId node = 0; node < kNodes; ++node)
    wait_for_file(testing::model_file_of_peer(run, node, 40));
  for (NodeId node = 0; node < kNodes; ++node)
    cluster.peer(node).send(SIGKILL);
  expect_all_ended_with(128 + SIGKILL, cluster.finish_all());
  expect_all_ended_with(0, cluster.run({"--resume", run}));
  expect_all_have(mean_of_threads(long_run), run);
}

TEST(OwnLoop, AKilledPeerRejoinsAndAllEndWithOneMean) {
  const Arguments settings = {"--rounds",           "1500", "--on-peer-loss", "drop",
                              "--checkpoint-every", "20",   "--audit-every",  "50"};
  Cluster cluster(kNodes);
  cluster.runs(kOwnLoop);
  const std::string run = cluster.path("run");
  cluster.start_all(kept_in(run, settings));
  wait_for_file(testing::model_file_of_peer(run, 2, 20));
  // Its neighbours wait for it until their deadline: it starts while they do, or joins later.
  cluster.peer(2).send(SIGKILL);
  EXPECT_EQ(cluster.peer(2).finish().exit_code, 128 + SIGKILL);
  cluster.start(2, Arguments{"--resume", run});
  expect_all_ended_with(0, cluster.finish_all());
  expect_all_have(mean_of_peer(run, 0), run);
  EXPECT_THAT(events_of_peer(run, 2), ::testing::Contains("joined"));
  EXPECT_NE(mean_of_peer(run, 0), mean_of_threads({"--rounds", "1500"})) << "somebody was lost";
}

TEST(OwnLoop, RefusesWhatItDoesNotKnow) {
  const ProgramResult typo = run_command(kOwnLoop + Arguments{"--compresor", "sign"});
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_THAT(typo.err, HasSubstr("compressor"));
  const ProgramResult impossible =
      run_command(kOwnLoop + Arguments{"--topology", "ring", "--algorithm", "chocolate"});
  EXPECT_EQ(impossible.exit_code, 2);
  EXPECT_THAT(impossible.err, HasSubstr("choco"));
}

}  // namespace
}  // namespace gossamer
