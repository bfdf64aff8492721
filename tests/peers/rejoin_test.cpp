// Peers whose neighbour is killed, who go on without it, and take it in when it is started again.
#include <csignal>
#include <random>
#include <string>
#include <vector>

#include "tests/peers/lost_and_back.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

constexpr NodeId kPeers = LostAndBack::kPeers;
constexpr NodeId kKilled = LostAndBack::kKilled;
constexpr Round kRounds = 4000;

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
           Arguments{"--loss-limit", "1e30", "--rounds", fmt::format("{}", kRounds), "--json"} +
           LostAndBack::drop() + Arguments{"--audit-every", "10"};
  }

  [[nodiscard]] Arguments kept_settings() const {
    return settings() + Arguments{"--run-dir", peers_.path("run"), "--checkpoint-every", "50"};
  }

  /// In the midst of some round.
  [[nodiscard]] static Round some_round() {
    std::random_device device;
    return std::vector<Round>{100, 200, 500}[device() % 3];
  }

  void expect_others_finish() {
    for (NodeId node = 0; node < kPeers; ++node) {
      if (node == kKilled) continue;
      const ProgramResult result = peers_.cluster().peer(node).finish();
      EXPECT_EQ(result.exit_code, 0) << "node " << node << ": " << result.err;
      EXPECT_EQ(json_lines(result.out).back().at("summary").at("round"), kRounds);
    }
  }

  /// All ended well, with both edges back, and nobody held anything wrong of anybody.
  void expect_all_together() {
    const auto results = peers_.cluster().finish_all();
    expect_all_ended_with(0, results);
    for (const ProgramResult& peer : results) {
      for (const nlohmann::json& row : json_lines(peer.out))
        EXPECT_EQ(row.value("copies_repaired", 0), 0) << row;
    }
    const std::string& back = results[kKilled].err;
    EXPECT_THAT(back, HasSubstr(fmt::format("node {} joins the run in round", kKilled)));
    for (const NodeId side : LostAndBack::kSides) {
      EXPECT_THAT(results[side].err,
                  HasSubstr(fmt::format("node {} is back: node {}", kKilled, side)));
      EXPECT_THAT(back, HasSubstr(fmt::format("node {} is back: node {}", side, kKilled)));
    }
  }

  LostAndBack peers_;
};

TEST_P(Rejoin, WithItsCheckpoint) {
  peers_.start_all(kept_settings());
  peers_.kill_one(some_round());
  peers_.start_again({"--resume", peers_.path("run"), "--json"});
  expect_all_together();
}

TEST_P(Rejoin, EmptyHanded) {
  // Whichever round it joins before is one with an audit.
  const Arguments always_audited = settings() + Arguments{"--audit-every", "1"};
  peers_.start_all(always_audited);
  peers_.kill_one(some_round());
  peers_.start_again(always_audited);
  expect_all_together();
}

INSTANTIATE_TEST_SUITE_P(Methods, Rejoin, ::testing::ValuesIn(methods()),
                         [](const auto& tested) { return tested.param.name; });

using ByTheSameCommand = Rejoin;

// As a tutorial says, and a supervisor does.
TEST_P(ByTheSameCommand, ItRejoinsWithItsCheckpoint) {
  peers_.start_all(kept_settings());
  peers_.kill_one(200);
  peers_.start_again(kept_settings());
  peers_.wait_for(kKilled, &ProgramResult::err, "it goes on from a checkpoint");
  expect_all_together();
}

INSTANTIATE_TEST_SUITE_P(Methods, ByTheSameCommand, ::testing::Values(methods().front()),
                         [](const auto& tested) { return tested.param.name; });

using AfterInterruption = Rejoin;

// Whoever compares it with the others must not be misled by what they all have loaded.
TEST_P(AfterInterruption, AllResumeAndTakeItIn) {
  // All with a short deadline: whoever is left in the midst of a round waits for it.
  peers_.cluster().start_all(kept_settings());
  peers_.interrupt_all(100);
  const Arguments resumed = {"--resume", peers_.path("run"), "--json"};
  peers_.start_all(resumed);
  // It may have been interrupted behind the round before that.
  peers_.kill_one(1000);
  peers_.start_again(resumed);
  expect_all_together();
}

INSTANTIATE_TEST_SUITE_P(Methods, AfterInterruption, ::testing::Values(methods().front()),
                         [](const auto& tested) { return tested.param.name; });

using WithoutIt = Rejoin;

TEST_P(WithoutIt, TheOthersFinish) {
  peers_.start_all(settings());
  peers_.kill_one(some_round());
  peers_.release();
  expect_others_finish();
}

TEST_P(WithoutIt, TheOthersFinishAlsoWhenItWakesUpCutOff) {
  peers_.start_all(settings());
  peers_.lose_one(SIGSTOP, some_round());
  peers_.cluster().peer(kKilled).send(SIGCONT);
  peers_.wait_for(kKilled, &ProgramResult::err, " is lost: ");
  peers_.release();
  expect_others_finish();
  // It leaves when it has lost both neighbours, unless one of them takes it in before.
  const ProgramResult woken = peers_.cluster().peer(kKilled).finish();
  if (woken.exit_code != 0) {
    EXPECT_EQ(woken.exit_code, 3);
    EXPECT_THAT(woken.err, HasSubstr("cannot go on alone"));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, WithoutIt, ::testing::Values(methods().front()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace gossamer::testing
