#include "gossamer/learn/partition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/rng.hpp"

namespace gossamer {
namespace {

using ::testing::ElementsAre;

// Three classes in no order.
std::vector<double> labels_of(std::size_t rows) {
  Rng rng(RngKey{.seed = rows});
  std::vector<double> labels(rows);
  for (double& label : labels)
    label = rng.below(3);
  return labels;
}

Partition split(std::string_view spec, const std::vector<double>& labels, NodeId nodes,
                std::uint64_t seed = 0) {
  return make_partition(spec, labels, nodes, seed).value();
}

std::string refusal_of_split(std::string_view spec, std::size_t rows = 10, NodeId nodes = 2) {
  const Result<Partition> made = make_partition(spec, labels_of(rows), nodes, 0);
  return made ? "" : made.error().message;
}

class PartitionLaw : public ::testing::TestWithParam<std::string> {};

TEST_P(PartitionLaw, EveryRowIsSomewhereExactlyOnceAndNobodyGoesWithout) {
  for (const std::size_t rows : {1u, 2u, 9u, 100u, 1001u}) {
    for (const NodeId nodes : {1u, 2u, 9u, 64u}) {
      if (rows < nodes) continue;
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        std::vector<std::uint32_t> all;
        const Partition shards = split(GetParam(), labels_of(rows), nodes, seed);
        ASSERT_EQ(shards.size(), nodes);
        for (const auto& shard : shards) {
          EXPECT_FALSE(shard.empty());
          all.insert(all.end(), shard.begin(), shard.end());
        }
        std::ranges::sort(all);
        std::vector<std::uint32_t> expected(rows);
        std::iota(expected.begin(), expected.end(), 0u);
        EXPECT_EQ(all, expected);
      }
    }
  }
}

TEST_P(PartitionLaw, IsAFunctionOfItsArguments) {
  EXPECT_EQ(split(GetParam(), labels_of(100), 8, 3), split(GetParam(), labels_of(100), 8, 3));
}

std::vector<std::string> specs() {
  std::vector<std::string> all = {"dirichlet:0.001", "dirichlet:1000000"};
  for (const PartitionInfo& info : partitions())
    all.emplace_back(info.example);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, PartitionLaw, ::testing::ValuesIn(specs()));

TEST(Partition, InOrderGivesTheLastNodeWhatIsLeftOver) {
  const Partition shards = split("contiguous", std::vector<double>(8), 3);
  EXPECT_THAT(shards, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5, 6, 7)));
}

TEST(Partition, SortedKeepsTheOrderWithinALabel) {
  const Partition shards = split("sorted", {1, -1, 1, -1, -1, 1}, 2);
  EXPECT_THAT(shards, ElementsAre(ElementsAre(1, 3, 4), ElementsAre(0, 2, 5)));
}

TEST(Partition, IidShufflesByItsSeed) {
  const std::vector<double> labels(1000);
  const Partition one = split("iid", labels, 4, 1);
  EXPECT_NE(one, split("iid", labels, 4, 2));
  EXPECT_NE(one, split("contiguous", labels, 4));
  for (const auto& shard : one) {
    EXPECT_EQ(shard.size(), 250u);
    // 250 of the numbers below 1000 without replacement: their mean has a deviation of 15.8.
    const double mean = std::accumulate(shard.begin(), shard.end(), 0.0) / 250;
    EXPECT_NEAR(mean, 499.5, 5 * 15.8);
  }
}

// How far the nodes are from having the same labels: the mean over nodes of the share of a node's
// most frequent label.
double skew(const Partition& shards, const std::vector<double>& labels) {
  double sum = 0;
  for (const auto& shard : shards) {
    std::array<double, 3> counts{};
    for (const std::uint32_t row : shard)
      ++counts[static_cast<std::size_t>(labels[row])];
    sum += std::ranges::max(counts) / static_cast<double>(shard.size());
  }
  return sum / static_cast<double>(shards.size());
}

TEST(Dirichlet, IsMoreSkewedForSmallerParameters) {
  const std::vector<double> labels = labels_of(3000);
  double last = 1.01;
  for (const char* spec : {"dirichlet:0.01", "dirichlet:0.3", "dirichlet:3", "dirichlet:1000"}) {
    double mean = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      mean += skew(split(spec, labels, 10, seed), labels) / 20;
    EXPECT_LT(mean, last) << spec;
    last = mean;
  }
  // All labels alike in the end, up to the counts of a shard of 300.
  EXPECT_NEAR(last, 1.0 / 3, 0.03);
}

// With two nodes and one class the first share has the law Beta(A, A), whose variance is
// 1 / (4 (2A + 1)).
TEST(Dirichlet, HasTheVarianceOfTheBetaLaw) {
  const std::vector<double> labels(1000);
  for (const double a : {0.5, 1.0, 4.0}) {
    constexpr int kRuns = 400;
    double squares = 0;
    for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
      const Partition shards = split("dirichlet:" + std::to_string(a), labels, 2, seed);
      const double away = static_cast<double>(shards[0].size()) / 1000 - 0.5;
      squares += away * away / kRuns;
    }
    const double variance = 1 / (4 * (2 * a + 1));
    // Squares of the share have a deviation below their mean, for A = 4 just about 1.2 times it.
    EXPECT_NEAR(squares, variance, 5 * 1.3 * variance / std::sqrt(kRuns)) << a;
  }
}

TEST(Partition, RefusesWithASentence) {
  EXPECT_EQ(refusal_of_split("idd"),
            "unknown partition 'idd'; did you mean 'iid'? Valid: iid, contiguous, sorted, "
            "dirichlet");
  EXPECT_EQ(refusal_of_split("iid:3"), "iid takes no option '3'");
  EXPECT_EQ(refusal_of_split("dirichlet"), "dirichlet needs its parameter, as in dirichlet:0.1");
  EXPECT_EQ(refusal_of_split("dirichlet:0"),
            "dirichlet: A must be a number from 0.001 to 1000000, not '0'");
  EXPECT_EQ(refusal_of_split("iid", 3, 4),
            "3 samples are too few for 4 nodes: each needs at least one");
  EXPECT_EQ(refusal_of_split("iid", 3, 0), "data cannot be split among no nodes");
}

TEST(Dirichlet, RefusesLabelsThatAreNoClasses) {
  std::vector<double> labels(2000);
  std::iota(labels.begin(), labels.end(), 0.0);
  EXPECT_EQ(make_partition("dirichlet:1", labels, 2, 0).error().message,
            "dirichlet splits classes, and these data have 2000 different labels, more than the "
            "1000 that count as classes");
}

}  // namespace
}  // namespace gossamer
