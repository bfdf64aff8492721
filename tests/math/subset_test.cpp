#include "gossamer/math/subset.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/math/kernels.hpp"

#include "gossamer/math/random_words.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

std::vector<std::uint32_t> subset(std::uint64_t stream, std::size_t size, std::size_t k) {
  Scratch scratch;
  std::vector<std::uint32_t> indices(k);
  draw_subset(stream, size, scratch, indices);
  return indices;
}

// The plain twin: the first k distinct draws, or for more than half, all but the first size - k.
std::vector<std::uint32_t> first_distinct(std::uint64_t stream, std::uint32_t size, std::size_t k) {
  const bool complement = k > size / 2;
  const std::size_t wanted = complement ? size - k : k;
  std::set<std::uint32_t> drawn;
  for (std::uint64_t tile = 0; drawn.size() < wanted; ++tile) {
    std::uint32_t words[kRandomTile];
    fill_random_words(stream, tile * kRandomTile, words);
    for (const std::uint32_t word : words) {
      const std::uint64_t scaled = std::uint64_t{word} * size;
      const bool fair = static_cast<std::uint32_t>(scaled) >= (0u - size) % size;
      if (fair && drawn.size() < wanted) drawn.insert(static_cast<std::uint32_t>(scaled >> 32));
    }
  }
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < size; ++i) {
    if (drawn.contains(i) != complement) indices.push_back(i);
  }
  return indices;
}

TEST(DrawSubset, EqualsItsTwinForEveryShare) {
  for (const std::uint32_t size : {1u, 2u, 3u, 10u, 100u, 1000u, 70000u}) {
    for (const double share : {0.0, 0.001, 0.01, 0.06, 0.1, 0.3, 0.5, 0.51, 0.9, 1.0}) {
      const auto k = static_cast<std::size_t>(share * size);
      on_every_instruction_set([&] {
        EXPECT_EQ(subset(size + 5, size, k), first_distinct(size + 5, size, k))
            << k << " of " << size;
      });
    }
  }
}

TEST(DrawSubset, OfAHugeSetStaysBelowIt) {
  const std::size_t size = (std::size_t{1} << 32) - 1;
  const std::vector<std::uint32_t> indices = subset(3, size, 100);
  EXPECT_EQ(std::ranges::adjacent_find(indices), indices.end());
  EXPECT_TRUE(std::ranges::is_sorted(indices));
}

TEST(DrawSubset, EveryPairIsEquallyLikely) {
  constexpr int kDraws = 6000;
  int counts[5][5] = {};
  for (int draw = 0; draw < kDraws; ++draw) {
    const std::vector<std::uint32_t> pair = subset(static_cast<std::uint64_t>(draw), 5, 2);
    ++counts[pair[0]][pair[1]];
  }
  // Ten pairs, each with probability 1/10; five standard deviations.
  for (int i = 0; i < 5; ++i) {
    for (int j = i + 1; j < 5; ++j)
      EXPECT_NEAR(counts[i][j], kDraws / 10, 5.0 * std::sqrt(kDraws * 0.09));
  }
}

}  // namespace
}  // namespace gossamer
