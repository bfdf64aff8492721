#include "gossamer/base/rng.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

// A chi-square variable with n degrees of freedom exceeds n + 2 sqrt(n t) + 2 t with a probability
// below exp(-t) (Laurent and Massart, 2000, lemma 1). t = 21: less than one fair generator in 10^9.
double chi_square_limit(std::size_t degrees) {
  constexpr double kT = 21;
  const auto n = static_cast<double>(degrees);
  return n + 2 * std::sqrt(n * kT) + 2 * kT;
}

double chi_square(const std::vector<std::size_t>& counts) {
  double total = 0;
  for (const std::size_t count : counts)
    total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::size_t count : counts) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  return sum;
}

Rng test_rng(std::uint64_t seed) {
  return Rng(RngKey{.seed = seed});
}

// kat_vectors of Random123 1.14, lines "philox4x32 10".
TEST(Philox, GivesThePublishedVectors) {
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, 0),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, 0xffffffffffffffff),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Every result of every run hangs on these; a new value is a new generator.
TEST(RngKey, StreamIsFixedForEver) {
  const RngKey key{
      .seed = 42, .purpose = Purpose::kCompress, .node = 3, .round = 0x1'0000'0007, .block = 5};
  const PhiloxBlock hash = philox4x32({3, 7, 1, 0x03000005}, 42);
  EXPECT_EQ(key.stream(), std::uint64_t{hash[1]} << 32 | hash[0]);
}

TEST(RngKey, DiffersInEveryFieldAlone) {
  const RngKey base{.seed = 1, .purpose = Purpose::kBatch, .node = 2, .round = 3, .block = 4};
  std::vector<RngKey> keys;
  for (int bit = 0; bit < 64; ++bit) {
    keys.push_back(base);
    keys.back().seed ^= std::uint64_t{1} << bit;
    keys.push_back(base);
    keys.back().round ^= std::uint64_t{1} << bit;
  }
  for (int bit = 0; bit < 32; ++bit) {
    keys.push_back(base);
    keys.back().node ^= 1u << bit;
  }
  for (int bit = 0; bit < 24; ++bit)
    keys.push_back(base.for_block(base.block ^ 1u << bit));
  for (const Purpose purpose :
       {Purpose::kInit, Purpose::kCompress, Purpose::kData, Purpose::kTopology, Purpose::kEdge,
        Purpose::kSchedule, Purpose::kTest, Purpose::kAugment}) {
    keys.push_back(base);
    keys.back().purpose = purpose;
  }

  std::set<std::uint64_t> streams = {base.stream()};
  std::set<std::uint32_t> first_words = {Rng(base).next_u32()};
  for (const RngKey& key : keys) {
    streams.insert(key.stream());
    first_words.insert(Rng(key).next_u32());
  }
  EXPECT_EQ(streams.size(), keys.size() + 1);
  // 193 words of 32 bits share one with probability 4e-6; these do not.
  EXPECT_EQ(first_words.size(), keys.size() + 1);
}

TEST(RngKey, ForBlockChangesTheBlockOnly) {
  const RngKey key{.seed = 1, .purpose = Purpose::kInit, .node = 2, .round = 3};
  RngKey expected = key;
  expected.block = 9;
  EXPECT_EQ(key.for_block(9).stream(), expected.stream());
  EXPECT_EQ(key.for_block(0).stream(), key.stream());
}

TEST(RngKey, RefusesMoreBlocksThanItCanTellApart) {
  const RngKey key;
  EXPECT_NO_THROW((void)key.for_block((1u << 24) - 1).stream());
  EXPECT_THROW((void)key.for_block(1u << 24).stream(), ContractViolation);
}

TEST(Rng, NumberFourNPlusWIsWordWOfBlockN) {
  const std::uint64_t stream = 0x0123456789abcdef;
  Rng rng(stream);
  for (std::uint32_t n = 0; n < 5; ++n) {
    for (const std::uint32_t word : philox4x32({n, 0, 0, 0}, stream)) {
      EXPECT_EQ(rng.next_u32(), word);
    }
  }
}

TEST(Rng, GivesTheSameNumbersForTheSameKey) {
  Rng a = test_rng(7);
  Rng b = test_rng(7);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(a.next_u64(), b.next_u64());
}

TEST(Rng, PutsTheEarlierWordIntoTheLowHalfOf64Bits) {
  Rng words = test_rng(7);
  Rng pairs = test_rng(7);
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t low = words.next_u32();
    const std::uint64_t high = words.next_u32();
    EXPECT_EQ(pairs.next_u64(), high << 32 | low);
  }
}

TEST(RngBelow, IsUniform) {
  constexpr std::size_t kDraws = 200'000;
  for (const std::uint32_t bound : {2u, 3u, 6u, 10u, 64u, 1000u}) {
    SCOPED_TRACE(bound);
    Rng rng = test_rng(bound);
    std::vector<std::size_t> counts(bound);
    for (std::size_t i = 0; i < kDraws; ++i)
      ++counts[rng.below(bound)];
    EXPECT_LT(chi_square(counts), chi_square_limit(bound - 1));
  }
}

// Without drawing unfair words again, 2^32 words fall on 3 * 2^30 outcomes two for each multiple of
// 3 and one for the others.
TEST(RngBelow, IsUniformWhereAPlainMultiplicationIsNot) {
  Rng rng = test_rng(0);
  std::vector<std::size_t> counts(3);
  for (int i = 0; i < 200'000; ++i)
    ++counts[rng.below(3u << 30) % 3];
  EXPECT_LT(chi_square(counts), chi_square_limit(2));
}

TEST(RngBelow, IsUniformForTheBoundThatDrawsAgainMostOften) {
  constexpr std::uint32_t kBound = (1u << 31) + 1;
  Rng rng = test_rng(1);
  std::vector<std::size_t> counts(64);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint32_t drawn = rng.below(kBound);
    ASSERT_LT(drawn, kBound);
    // The 64 bins hold 2^25 outcomes each; the last outcome of all makes no difference to one bin.
    ++counts[std::min<std::size_t>(drawn >> 25, 63)];
  }
  EXPECT_LT(chi_square(counts), chi_square_limit(63));
}

TEST(RngBelow, OneIsAlwaysZero) {
  Rng rng = test_rng(2);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(rng.below(1), 0u);
}

TEST(RngBelow, ThePowerOfTwoIsTheTopBitsOfAWord) {
  Rng words = test_rng(3);
  Rng rng = test_rng(3);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(rng.below(1u << 10), words.next_u32() >> 22);
}

TEST(RngBelow, TheLargestBoundStaysBelowIt) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  Rng rng = test_rng(4);
  for (int i = 0; i < 1000; ++i)
    EXPECT_LT(rng.below(kMost), kMost);
}

TEST(RngBelow, RefusesZero) {
  Rng rng = test_rng(5);
  EXPECT_THROW((void)rng.below(0), ContractViolation);
}

TEST(RngUniform, IsTheTop53BitsOver2ToThe53) {
  Rng words = test_rng(6);
  Rng rng = test_rng(6);
  for (int i = 0; i < 1000; ++i) {
    const double u = rng.uniform();
    EXPECT_EQ(u, std::ldexp(static_cast<double>(words.next_u64() >> 11), -53));
    EXPECT_GE(u, 0.0);
    EXPECT_LT(u, 1.0);
  }
}

TEST(RngNormal, EqualsBoxMullerByTheStandardLibrary) {
  Rng uniform = test_rng(8);
  Rng rng = test_rng(8);
  for (int i = 0; i < 100'000; ++i) {
    const double radius = std::sqrt(-2 * std::log(1 - uniform.uniform()));
    const double expected = radius * std::cos(2 * std::numbers::pi * uniform.uniform());
    // The library's cosine is of 2 pi u rounded, up to 4.5e-16 off, as is ours; the logarithms
    // differ by 2 units in the last place at most. The radius is below sqrt(2 * 53 * log 2) < 8.6.
    ASSERT_NEAR(rng.normal(), expected, 8.6 * 2e-15);
  }
}

// The bits hold on every machine: with and without fused multiply-add, whatever the C library.
TEST(RngNormal, HasTheSameBitsEverywhere) {
  Rng rng = test_rng(9);
  std::uint64_t digest = 0;
  for (int i = 0; i < 10'000; ++i) {
    digest = std::rotl(digest, 5) ^ std::bit_cast<std::uint64_t>(rng.normal());
    digest *= 0x9e3779b97f4a7c15;
  }
  EXPECT_EQ(digest, 0xf57e5ba344812675u);
}

TEST(RngNormal, HasTheMomentsOfAStandardNormal) {
  constexpr int kDraws = 100'000;
  Rng rng = test_rng(10);
  std::array<double, 5> moments{};
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.normal();
    for (std::size_t m = 1; m < moments.size(); ++m) {
      moments[m] += std::pow(x, static_cast<double>(m)) / kDraws;
    }
  }
  // Moment m has the standard deviation sqrt((E x^2m - (E x^m)^2) / n); six of them are allowed.
  const double unit = 6 / std::sqrt(kDraws);
  EXPECT_NEAR(moments[1], 0, unit);
  EXPECT_NEAR(moments[2], 1, unit * std::sqrt(2));
  EXPECT_NEAR(moments[3], 0, unit * std::sqrt(15));
  EXPECT_NEAR(moments[4], 3, unit * std::sqrt(96));
}

}  // namespace
}  // namespace gossamer
