// Peers whose neighbour is killed, who go on without it, and take it in when it is started again.
#include <algorithm>
#include <csignal>
#include <random>
#include <string>
#include <vector>

#include "tests/peers/cluster.hpp"
#include "tests/train/runs.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

constexpr NodeId kPeers = 6;
constexpr NodeId kKilled = 2;
constexpr NodeId kSides[] = {1, 3};
constexpr Round kRounds = 4000;
/// Is held, and all others wait for it: the run must not be over before the one that was killed is
/// there again. Its neighbours, who are not those of the one that is killed, have more patience
/// with it than it is held for.
constexpr NodeId kPacemaker = 5;
constexpr NodeId kPatient[] = {0, 4, 5};

struct Method {
  std::string name;
  Arguments arguments;
};

void PrintTo(const Method& method, std::ostream* out) {
  *out << method.name;
}

std::vector<Method> methods() {
  return {
      {"choco", {"--algorithm", "choco", "--compressor", "sign", "--gamma", "0.2"}},
      {"dcd", {"--algorithm", "dcd", "--compressor", "qsgd:8"}},
      {"ecdreplicas", {"--algorithm", "ecd:replicas", "--compressor", "qsgd:8"}},
      {"powergossip", {"--algorithm", "powergossip"}},
      {"deepsqueeze", {"--algorithm", "deepsqueeze", "--compressor", "sign", "--gamma", "0.1"}},
      {"dpsgd", {"--algorithm", "dpsgd"}},
  };
}

class Rejoin : public ::testing::TestWithParam<Method> {
 protected:
  [[nodiscard]] Arguments settings() const {
    return GetParam().arguments +
           Arguments{"--task", "quadratic", "--dim", "20", "--noise", "0.1", "--lr", "0.001"} +
           Arguments{"--patience", "60s",      "--loss-limit",
                     "1e30",       "--rounds", fmt::format("{}", kRounds),
                     "--json"} +
           Arguments{"--on-peer-loss", "drop", "--peer-deadline", "2s", "--audit-every", "10"};
  }

  [[nodiscard]] Arguments kept_settings() const {
    return settings() + Arguments{"--run-dir", cluster_.path("run"), "--checkpoint-every", "50"};
  }

  void start_all(const Arguments& settings) {
    for (NodeId node = 0; node < kPeers; ++node) {
      const bool is_patient = std::ranges::count(kPatient, node) > 0;
      cluster_.start(node, is_patient ? settings + Arguments{"--peer-deadline", "60s"} : settings);
    }
  }

  void wait_for(NodeId node, std::string ProgramResult::*output, const std::string& text) {
    ASSERT_TRUE(cluster_.peer(node).wait_until([&](const ProgramResult& printed) {
      return (printed.*output).find(text) != std::string::npos;
    })) << "node "
        << node << " never said: " << text;
  }

  /// In the midst of some round. Returns when the nodes beside it go on without it.
  void lose_one(int signal) {
    std::random_device device;
    const int round = std::vector{100, 200, 500}[device() % 3];
    wait_for(kKilled, &ProgramResult::out, fmt::format("\"round\":{},", round));
    cluster_.peer(kKilled).send(signal);
    for (const NodeId side : kSides) {
      wait_for(side, &ProgramResult::err,
               fmt::format("node {} lost node {} in round", side, kKilled));
    }
    // Until then all have waited for the one that is lost.
    cluster_.peer(kPacemaker).hold();
  }

  void kill_one() {
    lose_one(SIGKILL);
    EXPECT_EQ(cluster_.peer(kKilled).finish().exit_code, 128 + SIGKILL);
  }

  void expect_others_finish() {
    for (NodeId node = 0; node < kPeers; ++node) {
      if (node == kKilled) continue;
      const ProgramResult result = cluster_.peer(node).finish();
      EXPECT_EQ(result.exit_code, 0) << "node " << node << ": " << result.err;
      EXPECT_EQ(json_lines(result.out).back().at("summary").at("round"), kRounds);
    }
  }

  void start_again(const Arguments& settings) {
    cluster_.start(kKilled, settings);
    for (const NodeId side : kSides)
      wait_for(side, &ProgramResult::err, fmt::format(" node {} is back\n", kKilled));
    cluster_.peer(kPacemaker).release();
  }

  /// All ended well, with both edges back, and nobody held anything wrong of anybody.
  void expect_all_together() {
    const auto results = cluster_.finish_all();
    expect_all_ended_with(0, results);
    for (const ProgramResult& peer : results) {
      for (const nlohmann::json& row : json_lines(peer.out))
        EXPECT_EQ(row.value("copies_repaired", 0), 0) << row;
    }
    const std::string& back = results[kKilled].err;
    EXPECT_THAT(back, HasSubstr(fmt::format("node {} joins the run in round", kKilled)));
    for (const NodeId side : kSides) {
      EXPECT_THAT(results[side].err,
                  HasSubstr(fmt::format("node {} is back: node {}", kKilled, side)));
      EXPECT_THAT(back, HasSubstr(fmt::format("node {} is back: node {}", side, kKilled)));
    }
  }

  Cluster cluster_{kPeers};
};

TEST_P(Rejoin, WithItsCheckpoint) {
  start_all(kept_settings());
  kill_one();
  start_again({"--resume", cluster_.path("run"), "--json"});
  expect_all_together();
}

TEST_P(Rejoin, EmptyHanded) {
  // Whichever round it joins before is one with an audit.
  const Arguments always_audited = settings() + Arguments{"--audit-every", "1"};
  start_all(always_audited);
  kill_one();
  start_again(always_audited);
  expect_all_together();
}

INSTANTIATE_TEST_SUITE_P(Methods, Rejoin, ::testing::ValuesIn(methods()),
                         [](const auto& tested) { return tested.param.name; });

using WithoutIt = Rejoin;

TEST_P(WithoutIt, TheOthersFinish) {
  start_all(settings());
  kill_one();
  cluster_.peer(kPacemaker).release();
  expect_others_finish();
}

TEST_P(WithoutIt, TheOthersFinishAlsoWhenItWakesUpCutOff) {
  start_all(settings());
  lose_one(SIGSTOP);
  cluster_.peer(kKilled).send(SIGCONT);
  wait_for(kKilled, &ProgramResult::err, " is lost: ");
  cluster_.peer(kPacemaker).release();
  expect_others_finish();
  // It leaves when it has lost both neighbours, unless one of them takes it in before.
  const ProgramResult woken = cluster_.peer(kKilled).finish();
  if (woken.exit_code != 0) {
    EXPECT_EQ(woken.exit_code, 3);
    EXPECT_THAT(woken.err, HasSubstr("cannot go on alone"));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, WithoutIt, ::testing::Values(methods().front()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace gossamer::testing
