#include "gossamer/learn/epochs.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

std::vector<std::uint32_t> rows(std::uint32_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 100u);
  return all;
}

RngKey key_of(Round round) {
  return {.seed = 3, .purpose = Purpose::kBatch, .node = 1, .round = round};
}

TEST(Epochs, SeeEverySampleOnceBeforeAnyTwice) {
  const std::vector<std::uint32_t> samples = rows(21);
  Epochs epochs(samples, 3);
  std::vector<std::vector<std::uint32_t>> orders;
  for (int epoch = 0; epoch < 3; ++epoch) {
    std::vector<std::uint32_t>& order = orders.emplace_back();
    for (Round round = 0; round < 7; ++round) {
      for (std::size_t i = 0; i < 3; ++i)
        order.push_back(epochs.draw(key_of(static_cast<Round>(epoch) * 7 + round), i));
    }
    std::vector<std::uint32_t> sorted = order;
    std::ranges::sort(sorted);
    EXPECT_EQ(sorted, samples);
  }
  EXPECT_NE(orders[0], orders[1]);
  EXPECT_NE(orders[1], orders[2]);
}

TEST(Epochs, DrawTheSameWhicheverRoundsWereAskedForBefore) {
  const std::vector<std::uint32_t> samples = rows(10);
  Epochs straight(samples, 4);
  std::vector<std::uint32_t> drawn;
  for (Round round = 0; round < 20; ++round) {
    for (std::size_t i = 0; i < 4; ++i)
      drawn.push_back(straight.draw(key_of(round), i));
  }
  Epochs resumed(samples, 4);
  for (Round round = 20; round-- > 0;) {
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(resumed.draw(key_of(round), i), drawn[round * 4 + i]);
  }
}

TEST(Epochs, ABatchLargerThanTheShardGoesThroughItSeveralTimes) {
  const std::vector<std::uint32_t> samples = rows(2);
  Epochs epochs(samples, 6);
  int first = 0;
  for (std::size_t i = 0; i < 6; ++i)
    first += epochs.draw(key_of(5), i) == samples[0] ? 1 : 0;
  EXPECT_EQ(first, 3);
}

}  // namespace
}  // namespace gossamer
