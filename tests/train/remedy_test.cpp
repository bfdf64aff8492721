#include "gossamer/train/remedy.hpp"

#include <string>

#include "tests/support/temporary_folder.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/experiment/checkpoint_interval.hpp"

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

constexpr NodeId kSelf = 1;

Settings among_peers(const Settings& more = {}) {
  Settings settings = {
      {"task", "quadratic"}, {"dim", "5"}, {"nodes", "4"}, {"network", "tls"}, {"rounds", "500"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

Round interval_of(const Settings& settings) {
  return checkpoint_interval(*experiment_of(settings));
}

TEST(CheckpointInterval, IsAHundredRoundsOrAHundredthOfARunOfProcesses) {
  EXPECT_EQ(interval_of(among_peers()), 100u);
  EXPECT_EQ(interval_of(among_peers({{"rounds", "10000"}})), 100u);
  EXPECT_EQ(interval_of(among_peers({{"rounds", "10001"}})), 101u);
  EXPECT_EQ(interval_of(among_peers({{"network", "mpi"}})), 100u);
}

TEST(CheckpointInterval, IsWhatTheUserSays) {
  EXPECT_EQ(interval_of(among_peers({{"checkpoint-every", "7"}})), 7u);
  EXPECT_EQ(interval_of(among_peers({{"checkpoint-every", "0"}})), 0u);
}

TEST(CheckpointInterval, IsNoneWhereAllNodesShareAProcess) {
  for (const char* network : {"inproc", "sim"})
    EXPECT_EQ(interval_of(among_peers({{"network", network}})), 0u);
}

TEST(CheckpointInterval, IsNoneWhereNoCheckpointRepeatsTheRun) {
  EXPECT_EQ(interval_of(
                among_peers({{"algorithm", "qsparse-async:arrival"}, {"compressor", "topk:0.5"}})),
            0u);
  EXPECT_EQ(interval_of(among_peers({{"algorithm", "qsparse-async"}, {"compressor", "topk:0.5"}})),
            100u);
}

class Remedy : public ::testing::Test {
 protected:
  std::string after(Failure::Kind kind, const Settings& settings = among_peers()) {
    return remedy_for({kind, kSelf, 250, "node", "it is over"}, *experiment_of(settings), &store_,
                      kSelf);
  }

  void save(Round round) {
    ASSERT_TRUE(store_.save(kSelf, round, [](StateVisitor&) {}, {}));
  }

  TemporaryFolder folder_;
  CheckpointStore store_{folder_.path(), identity_of(experiment_of(among_peers())->config), 4,
                         CheckpointStore::Writers::kOneNode};
};

TEST_F(Remedy, IsTheNewestCheckpoint) {
  store_.keep_behind(3);
  save(100);
  save(200);
  for (const Failure::Kind kind : {Failure::Kind::kLost, Failure::Kind::kStalled}) {
    EXPECT_THAT(after(kind), HasSubstr("start all nodes with --resume to go on from round 200, or "
                                       "from the newest before it"));
  }
}

TEST_F(Remedy, SaysWhyThereIsNoCheckpoint) {
  const Failure::Kind lost = Failure::Kind::kLost;
  EXPECT_THAT(after(lost), HasSubstr("no checkpoint to go on from: the first comes after 100"));
  EXPECT_THAT(after(lost, among_peers({{"checkpoint-every", "0"}})),
              HasSubstr("no checkpoint to go on from: --checkpoint-every is 0"));
  const Failure failure{lost, kSelf, 250, "node", "it is over"};
  EXPECT_THAT(remedy_for(failure, *experiment_of(among_peers()), nullptr, kSelf),
              HasSubstr("no checkpoint to go on from: the run has no folder, give --run-dir"));
}

TEST_F(Remedy, IsToJoinThoseWhoGoOn) {
  const Settings drop = among_peers({{"on-peer-loss", "drop"}});
  EXPECT_THAT(after(Failure::Kind::kLost, drop), HasSubstr("start this node again to join"));
  save(200);
  EXPECT_THAT(after(Failure::Kind::kLost, drop), HasSubstr("with its checkpoint of round 200"));
}

TEST_F(Remedy, IsNoneForARunThatWentWrongByItself) {
  save(200);
  for (const Failure::Kind kind : {Failure::Kind::kDiverged, Failure::Kind::kNonFinite,
                                   Failure::Kind::kFile, Failure::Kind::kRefused})
    EXPECT_EQ(after(kind), "");
}

}  // namespace
}  // namespace gossamer::testing
