#include "gossamer/learn/sampler.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

constexpr NodeId kNode = 1;

/// Shards of `count` rows each, numbered one after the other.
Partition shards_of(std::uint32_t nodes, std::uint32_t count) {
  Partition shards(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    shards[node].resize(count);
    std::iota(shards[node].begin(), shards[node].end(), node * count);
  }
  return shards;
}

RngKey key_of(Round round, NodeId node = kNode) {
  return {.seed = 3, .purpose = Purpose::kBatch, .node = node, .round = round};
}

std::vector<std::uint32_t> draws(Sampler& sampler, Round begin, Round end, std::size_t batch,
                                 NodeId node = kNode) {
  std::vector<std::uint32_t> drawn;
  for (Round round = begin; round < end; ++round) {
    for (std::size_t i = 0; i < batch; ++i)
      drawn.push_back(sampler.draw(key_of(round, node), i));
  }
  return drawn;
}

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> rows) {
  std::ranges::sort(rows);
  return rows;
}

class AnySampling : public ::testing::TestWithParam<Sampling> {};

TEST_P(AnySampling, DrawsTheSameWhicheverRoundsWereAskedForBefore) {
  const Partition shards = shards_of(3, 10);
  Sampler straight(GetParam(), shards, kNode, 4);
  const std::vector<std::uint32_t> drawn = draws(straight, 0, 20, 4);
  Sampler resumed(GetParam(), shards, kNode, 4);
  for (Round round = 20; round-- > 0;) {
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(resumed.draw(key_of(round), i), drawn[round * 4 + i]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, AnySampling,
                         ::testing::Values(Sampling::kEpochs, Sampling::kGlobal,
                                           Sampling::kReplacement));

TEST(Epochs, SeeEverySampleOnceBeforeAnyTwice) {
  const Partition shards = shards_of(2, 21);
  Sampler sampler(Sampling::kEpochs, shards, kNode, 3);
  std::vector<std::vector<std::uint32_t>> orders;
  for (Round epoch = 0; epoch < 3; ++epoch) {
    orders.push_back(draws(sampler, epoch * 7, epoch * 7 + 7, 3));
    EXPECT_EQ(sorted(orders.back()), shards[kNode]);
  }
  EXPECT_NE(orders[0], orders[1]);
  EXPECT_NE(orders[1], orders[2]);
}

TEST(Epochs, ABatchLargerThanTheShardGoesThroughItSeveralTimes) {
  const Partition shards = shards_of(2, 2);
  Sampler sampler(Sampling::kEpochs, shards, kNode, 6);
  EXPECT_EQ(std::ranges::count(draws(sampler, 5, 6, 6), shards[kNode][0]), 3);
}

TEST(GlobalSampling, DealsAllSamplesOutAnewInEveryEpoch) {
  const Partition shards = shards_of(3, 8);
  std::vector<std::vector<std::uint32_t>> of_last_node;
  for (Round epoch = 0; epoch < 2; ++epoch) {
    std::vector<std::uint32_t> seen;
    for (NodeId node = 0; node < 3; ++node) {
      Sampler sampler(Sampling::kGlobal, shards, node, 2);
      const auto drawn = draws(sampler, epoch * 4, epoch * 4 + 4, 2, node);
      seen.insert(seen.end(), drawn.begin(), drawn.end());
      if (node == 2) of_last_node.push_back(sorted(drawn));
    }
    std::vector<std::uint32_t> all(24);
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(sorted(seen), all);
  }
  EXPECT_NE(of_last_node[0], of_last_node[1]);
}

TEST(GlobalSampling, LetsWhatIsLeftOverWaitForAnotherEpoch) {
  Partition shards = shards_of(3, 8);
  shards[2].push_back(24);
  Sampler sampler(Sampling::kGlobal, shards, kNode, 1);
  EXPECT_EQ(sampler.epoch_size(), 8u);
}

// Each of 20 rows is drawn a binomial number of times, mean 500 and deviation sqrt(500 * 0.95) =
// 21.8; six of these are exceeded once in 10^8.
TEST(Replacement, DrawsEachSampleOfTheShardAboutEquallyOften) {
  const Partition shards = shards_of(2, 20);
  Sampler sampler(Sampling::kReplacement, shards, kNode, 10);
  std::map<std::uint32_t, int> times;
  for (const std::uint32_t row : draws(sampler, 0, 1000, 10))
    ++times[row];
  ASSERT_EQ(times.size(), 20u);
  for (const auto& [row, count] : times) {
    EXPECT_GE(row, 20u);
    EXPECT_NEAR(count, 500, 131) << row;
  }
}

TEST(Replacement, SeesASampleAgainBeforeItHasSeenAll) {
  const Partition shards = shards_of(2, 20);
  Sampler sampler(Sampling::kReplacement, shards, kNode, 20);
  EXPECT_NE(sorted(draws(sampler, 0, 1, 20)), shards[kNode]);
}

TEST(Batch, IsAtMostAllThereIsOrAFewThousand) {
  EXPECT_TRUE(check_batch(std::nullopt, 10));
  EXPECT_TRUE(check_batch(1, 10));
  EXPECT_TRUE(check_batch(4096, 10));
  EXPECT_FALSE(check_batch(4097, 10));
  EXPECT_TRUE(check_batch(50'000, 50'000));
  EXPECT_FALSE(check_batch(50'001, 50'000));
  EXPECT_FALSE(check_batch(0, 10));
}

TEST(Sampling, IsKnownByName) {
  EXPECT_EQ(parse_sampling("global").value(), Sampling::kGlobal);
  const auto unknown = parse_sampling("epoch");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("'epochs'"), std::string::npos) << unknown.error().message;
}

}  // namespace
}  // namespace gossamer
