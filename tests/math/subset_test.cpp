#include "gossamer/math/kernels/subset.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/math/kernels.hpp"

#include "gossamer/math/kernels/random_words.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

std::vector<std::uint32_t> subset(std::uint64_t stream, std::size_t size, std::size_t k) {
  Scratch scratch;
  std::vector<std::uint32_t> indices(k);
  draw_subset(stream, size, scratch, indices);
  return indices;
}

// Uniform numbers below a bound from the words of a stream, one after the other.
class Draws {
 public:
  explicit Draws(std::uint64_t stream) : stream_(stream) {}

  std::uint32_t below(std::uint32_t bound) {
    for (;;) {
      std::uint32_t tile[kRandomTile];
      fill_random_words(stream_, used_ / kRandomTile * kRandomTile, tile);
      const std::uint64_t scaled = std::uint64_t{tile[used_++ % kRandomTile]} * bound;
      if (static_cast<std::uint32_t>(scaled) >= (0u - bound) % bound) {
        return static_cast<std::uint32_t>(scaled >> 32);
      }
    }
  }

 private:
  std::uint64_t stream_;
  std::uint64_t used_ = 0;
};

// The plain twin of a dense choice: the first k distinct draws, or for more than half, all but the
// first size - k.
std::vector<std::uint32_t> first_distinct(std::uint64_t stream, std::uint32_t size, std::size_t k) {
  const bool complement = k > size / 2;
  const std::size_t wanted = complement ? size - k : k;
  Draws draws(stream);
  std::set<std::uint32_t> drawn;
  while (drawn.size() < wanted)
    drawn.insert(draws.below(size));
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < size; ++i) {
    if (drawn.contains(i) != complement) indices.push_back(i);
  }
  return indices;
}

// The plain twin of a sparse choice: a few draws too many, and random ones of them taken away.
std::vector<std::uint32_t> thinned(std::uint64_t stream, std::uint32_t size, std::size_t k) {
  const double repeats = static_cast<double>(k) * static_cast<double>(k) / (1.9 * size);
  const std::size_t total = k + static_cast<std::size_t>(repeats + 5.0 * std::sqrt(repeats)) + 2;
  Draws draws(stream);
  std::set<std::uint32_t> drawn;
  while (drawn.size() < k) {
    const std::size_t missing = total - drawn.size();
    for (std::size_t i = 0; i < missing; ++i)
      drawn.insert(draws.below(size));
  }
  std::vector<std::uint32_t> indices(drawn.begin(), drawn.end());
  std::set<std::uint32_t> spare;
  while (spare.size() < drawn.size() - k) {
    spare.insert(draws.below(static_cast<std::uint32_t>(drawn.size())));
  }
  for (auto position = spare.rbegin(); position != spare.rend(); ++position) {
    indices.erase(indices.begin() + *position);
  }
  return indices;
}

std::vector<std::uint32_t> twin(std::uint64_t stream, std::uint32_t size, std::size_t k) {
  if (k == 0) return {};
  return k <= size / 16 ? thinned(stream, size, k) : first_distinct(stream, size, k);
}

TEST(DrawSubset, EqualsItsTwinForEveryShare) {
  for (const std::uint32_t size : {1u, 2u, 3u, 10u, 100u, 1000u, 70000u}) {
    for (const double share : {0.0, 0.001, 0.01, 0.06, 0.1, 0.3, 0.5, 0.51, 0.9, 1.0}) {
      const auto k = static_cast<std::size_t>(share * size);
      on_every_instruction_set([&] {
        EXPECT_EQ(subset(size + 5, size, k), twin(size + 5, size, k)) << k << " of " << size;
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

TEST(DrawSubset, EveryIndexIsEquallyLikelyInASparseChoice) {
  constexpr int kDraws = 8000;
  std::vector<int> counts(64, 0);
  for (int draw = 0; draw < kDraws; ++draw) {
    for (const std::uint32_t index : subset(static_cast<std::uint64_t>(draw), 64, 4))
      ++counts[index];
  }
  // Each index with probability 1/16; five standard deviations.
  for (const int count : counts) {
    EXPECT_NEAR(count, kDraws / 16, 5.0 * std::sqrt(kDraws * 15.0 / 256.0));
  }
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
