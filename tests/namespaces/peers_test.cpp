// Peers that train over TLS on emulated hosts: with the same result as threads, also over a link
// that is cut for a while; and without a peer that is killed, until it is back.
//
// More kills than CI has time for: GOSSAMER_KILLS=20 gossamer_namespaces_test
// --gtest_filter='*Killed*'. The number in the name of a test is its seed: all that is random
// follows from it.

#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

#include "tests/e2e/run_output.hpp"
#include "tests/namespaces/peer_group.hpp"
#include "tests/namespaces/testbed.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using testing::Arguments;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::PeerGroup;
using testing::Testbed;
using namespace std::chrono_literals;
using testing::operator+;

constexpr int kNodes = 8;
constexpr testing::Cables kWan = {.mbit_per_second = 100, .milliseconds = 10};

Arguments training(int rounds) {
  return {"--task",       "quadratic",
          "--dim",        "10000",
          "--noise",      "1",
          "--algorithm",  "choco",
          "--compressor", "sign",
          "--gamma",      "0.3",
          "--lr",         "0.05",
          "--nodes",      std::to_string(kNodes),
          "--rounds",     std::to_string(rounds)};
}

std::string row_of(int round) {
  return fmt::format("\"round\":{},", round);
}

class Peers : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = testing::why_there_are_no_namespaces();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

void expect_all_to_finish(PeerGroup& peers) {
  for (int node = 0; node < peers.size(); ++node)
    EXPECT_EQ(peers[node].exit_code(), 0) << "node " << node << ":\n" << peers[node].printed();
}

/// The models of all nodes after the last round are those of threads.
void expect_models_of_threads(const PeerGroup& peers, const Arguments& arguments, int rounds) {
  const testing::TemporaryFolder folder;
  const auto threads =
      testing::run_program(Arguments{"train"} + arguments +
                           Arguments{"--network", "inproc", "--run-dir", folder.path("run")});
  ASSERT_EQ(threads.exit_code, 0) << threads.err;
  for (int node = 0; node < kNodes; ++node) {
    const std::string model =
        testing::file_text(testing::model_file(folder.path("run"), node, rounds));
    ASSERT_NE(model, "");
    EXPECT_TRUE(testing::file_text(peers.model_file(node, rounds)) == model) << "node " << node;
  }
}

TEST_F(Peers, TrainAsThreadsDo) {
  const Testbed testbed(kNodes, kWan);
  PeerGroup peers(testbed, kNodes);
  const Arguments arguments = training(40) + Arguments{"--checkpoint-every", "40"};
  peers.start(arguments);
  expect_all_to_finish(peers);
  expect_models_of_threads(peers, arguments, 40);
}

TEST_F(Peers, ALinkThatIsCutForAWhileChangesNothing) {
  constexpr int kRounds = 100;
  const Testbed testbed(kNodes, kWan);
  PeerGroup peers(testbed, kNodes);
  const Arguments arguments =
      training(kRounds) + Arguments{"--checkpoint-every", "100", "--report", "20"};
  peers.start(arguments);
  ASSERT_TRUE(peers[3].prints(row_of(20))) << peers[3].printed();
  testbed.cut(4, 5);
  // Not a wait for something: half of the default --peer-deadline, and longer than the 80 rounds
  // take that are left.
  std::this_thread::sleep_for(5s);
  for (int node = 0; node < kNodes; ++node)
    EXPECT_FALSE(peers[node].has_ended()) << "node " << node << ":\n" << peers[node].printed();
  testbed.heal(4, 5);
  expect_all_to_finish(peers);
  expect_models_of_threads(peers, arguments, kRounds);
}

/// Who is killed when, and what it comes back with.
struct Kill {
  int victim;
  int round;
  /// As soon as this one goes on without it, it is started again.
  int witness;
  int other_witness;
  bool is_empty_handed;
  /// With 1, it joins in a round of audits.
  int audit_every;
};

Kill draw_kill(unsigned seed) {
  // Not a distribution of the standard library's, which differ: the same seed, the same kill.
  std::mt19937 random(seed);
  const auto draw = [&](unsigned bound) { return static_cast<int>(random() % bound); };
  Kill kill{};
  kill.victim = draw(kNodes);
  kill.round = 1 + draw(100);
  const int side = draw(2) == 0 ? 1 : kNodes - 1;
  kill.witness = (kill.victim + side) % kNodes;
  kill.other_witness = (kill.victim + kNodes - side) % kNodes;
  kill.is_empty_handed = seed % 2 == 0;
  kill.audit_every = seed % 4 < 2 ? 25 : 1;
  return kill;
}

class KilledPeer : public Peers, public ::testing::WithParamInterface<unsigned> {};

TEST_P(KilledPeer, IsMissedAndJoinsAgain) {
  const Kill kill = draw_kill(GetParam());
  SCOPED_TRACE(fmt::format(
      "seed {}: node {} is killed in round {} and comes back {}; an audit "
      "every {} rounds",
      GetParam(), kill.victim, kill.round,
      kill.is_empty_handed ? "empty-handed" : "with its checkpoints", kill.audit_every));
  const Testbed testbed(kNodes, kWan);
  PeerGroup peers(testbed, kNodes);
  peers.start(training(350) + Arguments{"--report", std::to_string(kill.round),
                                        "--checkpoint-every", "20", "--audit-every",
                                        std::to_string(kill.audit_every), "--on-peer-loss", "drop",
                                        "--peer-deadline", "1s"});
  ASSERT_TRUE(peers[kill.victim].prints(row_of(kill.round))) << peers.printed_by_all();
  peers[kill.victim].kill();
  const std::string lost = fmt::format("lost node {} in round", kill.victim);
  ASSERT_TRUE(peers[kill.witness].prints(lost)) << peers.printed_by_all();
  if (kill.is_empty_handed) {
    peers.start_empty_handed(kill.victim);
  } else {
    peers.resume(kill.victim);
  }
  expect_all_to_finish(peers);
  for (const int witness : {kill.witness, kill.other_witness}) {
    EXPECT_THAT(peers[witness].printed(), HasSubstr(lost));
    EXPECT_THAT(peers[witness].printed(), HasSubstr(fmt::format("node {} is back", kill.victim)));
  }
  for (int node = 0; node < kNodes; ++node) {
    EXPECT_THAT(peers[node].printed(), Not(ContainsRegex("copies_repaired\":[1-9]")));
    EXPECT_THAT(peers[node].printed(), HasSubstr("\"outcome\":\"finished\""));
  }
  if (HasFailure()) GTEST_LOG_(INFO) << peers.printed_by_all();
}

unsigned kills() {
  const char* const wanted = std::getenv("GOSSAMER_KILLS");
  return wanted == nullptr ? 2 : static_cast<unsigned>(std::stoul(wanted));
}

INSTANTIATE_TEST_SUITE_P(Seed, KilledPeer, ::testing::Range(1U, kills() + 1),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace gossamer
