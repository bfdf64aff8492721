// Peers that were killed, and are started again with the same command: their folders hold the run.
#include <csignal>
#include <set>
#include <string>

#include "tests/peers/cluster.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr NodeId kPeers = 4;
constexpr Round kRounds = 3000;
constexpr NodeId kHeld = kPeers - 1;

Arguments choco(const char* lr = "0.01") {
  return {"--task",       "quadratic",
          "--dim",        "20",
          "--noise",      "0.1",
          "--algorithm",  "choco",
          "--gamma",      "0.3",
          "--compressor", "sign",
          "--rounds",     fmt::format("{}", kRounds),
          "--report",     fmt::format("50,100,{}", kRounds),
          "--lr",         lr};
}

class SameCommand : public ::testing::Test {
 protected:
  [[nodiscard]] std::string run() const { return cluster_.path("run"); }

  [[nodiscard]] Arguments kept(const char* every = "20") const {
    return {"--run-dir", run(), "--checkpoint-every", every, "--json"};
  }

  /// All are in the midst of the run, and none gets on without the last one, which is held. That
  /// one has metrics of round 50, since it has printed those of round 100.
  void start_and_hold(const Arguments& command) {
    cluster_.start_all(command);
    ASSERT_TRUE(cluster_.peer(kHeld).wait_until([](const ProgramResult& printed) {
      return printed.out.find("\"round\":100,") != std::string::npos;
    }));
    cluster_.peer(kHeld).hold();
  }

  void kill_all() {
    for (NodeId node = 0; node < kPeers; ++node)
      cluster_.peer(node).send(SIGKILL);
    (void)cluster_.finish_all();
  }

  [[nodiscard]] std::string metrics_of(NodeId node) const {
    return file_text(fmt::format("{}/node-{:05}/metrics.jsonl", run(), node));
  }

  /// A peer that is killed may not have written what it has measured last.
  void expect_no_round_reported_twice() {
    for (NodeId node = 0; node < kPeers; ++node) {
      std::multiset<Round> rounds;
      for (const nlohmann::json& row : json_lines(metrics_of(node)))
        rounds.insert(row.at("round").get<Round>());
      EXPECT_LE(rounds.count(50), 1u) << metrics_of(node);
      EXPECT_LE(rounds.count(100), 1u) << metrics_of(node);
      EXPECT_GE(rounds.count(kRounds), 1u) << metrics_of(node);
    }
  }

  /// As one process has them that nobody has killed.
  void expect_models_of_one_process() {
    const std::string one = cluster_.path("one-process");
    const ProgramResult result =
        run_program(Arguments{"train", "--nodes", fmt::format("{}", kPeers)} + choco() +
                    Arguments{"--run-dir", one, "--checkpoint-every", "1000"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    for (NodeId node = 0; node < kPeers; ++node) {
      const std::string model = model_of_node(one, node, kRounds);
      EXPECT_FALSE(model.empty());
      EXPECT_TRUE(model == model_of_peer(run(), node, kRounds)) << "node " << node;
    }
  }

  Cluster cluster_{kPeers};
};

TEST_F(SameCommand, GoesOnWithWhatIsThere) {
  start_and_hold(choco() + kept());
  // The control: as long as the first lives, the folder is its own.
  EXPECT_THAT(refusal_of(cluster_.train_as(0) + choco() + kept()),
              AllOf(HasSubstr("/node-00000' is in use"), HasSubstr("process ")));
  EXPECT_THAT(refusal_of(cluster_.train_as(0) + Arguments{"--resume", run()}),
              HasSubstr("/node-00000' is in use"));
  kill_all();

  const auto results = cluster_.run(choco() + kept());
  expect_all_ended_with(0, results);
  for (const ProgramResult& peer : results)
    EXPECT_THAT(peer.err, HasSubstr("holds this run already: it goes on from a checkpoint"));
  expect_no_round_reported_twice();
  expect_models_of_one_process();

  const std::string metrics = metrics_of(1);
  EXPECT_THAT(refusal_of(cluster_.train_as(1) + choco() + kept()),
              AllOf(HasSubstr("has finished"), HasSubstr("--resume " + run())));
  EXPECT_EQ(metrics_of(1), metrics);
}

TEST_F(SameCommand, BeginsAnewWhereThereIsNoCheckpoint) {
  start_and_hold(choco() + kept("0"));
  kill_all();
  EXPECT_THAT(metrics_of(kHeld), HasSubstr("\"round\":50,"));
  const auto results = cluster_.run(choco() + kept("1000"));
  expect_all_ended_with(0, results);
  EXPECT_THAT(results[kHeld].err, HasSubstr("without a checkpoint: it begins anew"));
  expect_no_round_reported_twice();
  expect_models_of_one_process();
}

TEST_F(SameCommand, IsNotOneWithOtherSettings) {
  start_and_hold(choco() + kept());
  kill_all();
  const std::string metrics = metrics_of(0);
  const std::string config = file_text(run() + "/node-00000/config.toml");
  EXPECT_THAT(refusal_of(cluster_.train_as(0) + choco("0.02") + kept()),
              AllOf(HasSubstr("holds another run: its lr is '0.01', and that of this run '0.02'"),
                    HasSubstr("name another folder")));
  EXPECT_EQ(metrics_of(0), metrics);
  EXPECT_EQ(file_text(run() + "/node-00000/config.toml"), config);
}

}  // namespace
}  // namespace gossamer::testing
