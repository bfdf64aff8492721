// What is compared between members, each with a control that breaks it.
#include "gossamer/hunt/watcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/hunt/hunt_config.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr NodeId kNodes = 4;

/// Four nodes on a ring that do as they should, but for what a test changes.
class WatcherTest : public ::testing::Test {
 protected:
  WatcherTest() {
    Hunt hunt;
    hunt.nodes = kNodes;
    hunt.algorithm = "dpsgd";
    GammaTuner tuner;
    experiment_ = make_experiment(config_of(hunt), tuner).value();
    for (NodeId node = 0; node < kNodes; ++node) {
      MemberSight& sight = sights_.emplace_back();
      sight.self_weight = 0.5f;
      for (const NodeId peer : {(node + 1) % kNodes, (node + 3) % kNodes})
        sight.edges.push_back({peer, 0.25f, 100 + node, 100 + peer});
      sight.model.assign(experiment_->layout().size(), 0.5f * static_cast<float>(node));
    }
    watcher_ = std::make_unique<Watcher>(*experiment_);
  }

  static Time at(Round round) { return Time{} + static_cast<std::int64_t>(round) * kRoundTime; }

  void see(NodeId node, Round round, const MemberSight& sight) {
    MemberSight seen = sight;
    seen.round = round;
    watcher_->see({node, node + 1, Time{}}, at(round), seen);
  }

  /// Moves each model by its gradient.
  void train(Round round) {
    FloatBuffer gradient(experiment_->layout().size());
    for (NodeId node = 0; node < kNodes; ++node) {
      std::vector<float>& x = sights_[node].model;
      const RngKey batch{.seed = experiment_->config.seed,
                         .purpose = Purpose::kBatch,
                         .node = node,
                         .round = round};
      const auto size = static_cast<Eigen::Index>(x.size());
      (void)experiment_->task->objective_of(node)->gradient(CVec(x.data(), size), batch,
                                                            gradient.view());
      Vec(x.data(), size) -= 0.01f * gradient.view();
    }
  }

  void see_all(Round round) {
    for (NodeId node = 0; node < kNodes; ++node)
      see(node, round, sights_[node]);
  }

  std::vector<std::string> rules_broken() {
    watcher_->finish();
    std::vector<std::string> rules;
    for (const Violation& violation : watcher_->violations())
      rules.push_back(violation.rule);
    return rules;
  }

  static constexpr Duration kRoundTime = std::chrono::milliseconds(100);
  std::unique_ptr<Experiment> experiment_;
  std::vector<MemberSight> sights_;
  std::unique_ptr<Watcher> watcher_;
};

TEST_F(WatcherTest, FindsNothingWhereAllIsWell) {
  see_all(1);
  for (Round round = 1; round < 30; ++round) {
    train(round);
    see_all(round + 1);
  }
  EXPECT_THAT(rules_broken(), IsEmpty());
}

TEST_F(WatcherTest, SumsRows) {
  sights_[2].self_weight = 0.4f;
  see_all(1);
  EXPECT_THAT(rules_broken(), ElementsAre("weights of a row sum to 1"));
  EXPECT_THAT(watcher_->violations()[0].sentence, HasSubstr("node 2 in round 1"));
}

TEST_F(WatcherTest, ComparesWeightsOfBothEnds) {
  sights_[2].edges[0].weight = 0.125f;
  sights_[2].self_weight = 0.625f;
  see_all(1);
  EXPECT_THAT(rules_broken(), ElementsAre("W is symmetric"));
}

TEST_F(WatcherTest, ComparesWhetherBothUseAnEdge) {
  sights_[2].edges.erase(sights_[2].edges.begin());
  sights_[2].self_weight = 0.75f;
  see_all(1);
  EXPECT_THAT(rules_broken(), ElementsAre("both ends of an edge use it"));
  EXPECT_THAT(watcher_->violations()[0].sentence, HasSubstr("only node 3 uses the edge"));
}

TEST_F(WatcherTest, LetsBothSettleWhoseLinkWasInTrouble) {
  sights_[2].edges.erase(sights_[2].edges.begin());
  sights_[2].self_weight = 0.75f;
  watcher_->note_trouble(2, 3, at(1));
  see_all(2);
  EXPECT_THAT(rules_broken(), IsEmpty());
  see_all(100);
  EXPECT_THAT(rules_broken(), ElementsAre("both ends of an edge use it"));
}

TEST_F(WatcherTest, ComparesCopies) {
  sights_[2].edges[0].copy = 7;
  see_all(1);
  EXPECT_THAT(rules_broken(), ElementsAre("copies are equal to what they copy"));
  EXPECT_THAT(watcher_->violations()[0].sentence,
              HasSubstr("node 2 holds something else of node 3"));
}

TEST_F(WatcherTest, ComparesNothingWithOneThatLies) {
  sights_[2].edges[0].copy = 7;
  watcher_->note_hostile(2);
  see_all(1);
  EXPECT_THAT(rules_broken(), IsEmpty());
}

// A round that is done again after a restart is not compared with what it was before.
TEST_F(WatcherTest, ForgetsWhatWasBeforeARestart) {
  see_all(1);
  MemberSight other = sights_[2];
  other.round = 1;
  other.edges[0].copy = 7;
  watcher_->see({2, 9, at(5)}, at(6), other);
  EXPECT_THAT(rules_broken(), IsEmpty());
}

TEST_F(WatcherTest, KnowsHowFarGradientsMoveTheMean) {
  see_all(1);
  train(1);
  sights_[2].model[3] += 0.01f;
  see_all(2);
  EXPECT_THAT(rules_broken(), ElementsAre("the mean moves by gradients alone"));
}

TEST_F(WatcherTest, LetsTheMeanMoveWhereSomebodyJoined) {
  see_all(1);
  train(1);
  watcher_->note_joined(2);
  sights_[2].model[3] += 0.01f;
  see_all(2);
  EXPECT_THAT(rules_broken(), IsEmpty());
}

TEST_F(WatcherTest, NoticesTwoPartsThatBothGoOn) {
  // 0 and 1, 2 and 3: each has the edge within its part alone.
  for (NodeId node = 0; node < kNodes; ++node) {
    std::erase_if(sights_[node].edges,
                  [node](const EdgeSight& edge) { return edge.peer / 2 != node / 2; });
    sights_[node].self_weight = 0.75f;
  }
  for (Round round = 1; round < 10; ++round) {
    see_all(round);
    train(round);
  }
  EXPECT_THAT(rules_broken(), IsEmpty()) << "news take some rounds";
  for (Round round = 10; round < 30; ++round) {
    see_all(round);
    train(round);
  }
  EXPECT_THAT(rules_broken(), ElementsAre("a run never goes on in two parts"));
  EXPECT_THAT(watcher_->violations()[0].sentence, HasSubstr("nodes 0 1 and nodes 2 3"));
}

TEST_F(WatcherTest, HasADigestOfAllThatItSaw) {
  const auto digest_of_run = [this](float first_number) {
    watcher_ = std::make_unique<Watcher>(*experiment_);
    sights_[1].model[0] = first_number;
    see_all(1);
    return watcher_->digest();
  };
  EXPECT_EQ(digest_of_run(0.5f), digest_of_run(0.5f));
  EXPECT_NE(digest_of_run(0.5f), digest_of_run(0.6f));
}

}  // namespace
}  // namespace gossamer
