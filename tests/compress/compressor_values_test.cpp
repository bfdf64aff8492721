// Operators against what docs/golden_numbers.md and docs/wire_format.md say that they send: values,
// ties, exact identities and sizes.

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "tests/compress/operators.hpp"
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;

std::vector<float> compressed(const std::string& spec, const std::vector<float>& x,
                              std::uint64_t round = 0) {
  const auto compressor = make(spec, x.size());
  return decode(*compressor, encode(*compressor, x, key_of(round)));
}

std::size_t bytes_of(const std::string& spec, std::size_t size) {
  return make(spec, size)->encoded_size(key_of(0));
}

std::size_t kept(const std::vector<float>& x) {
  return x.size() - static_cast<std::size_t>(std::ranges::count(x, 0.0f));
}

TEST(Identity, SendsEveryElementAsItIs) {
  const std::vector<float> x = heavy_vector(1000, 1);
  EXPECT_EQ(compressed("identity", x), x);
  EXPECT_EQ(bytes_of("identity", 1000), 4000u);
}

TEST(TopK, KeepsTheLargestMagnitudes) {
  EXPECT_EQ(compressed("topk:k=2", {1.0f, -4.0f, 3.0f, 0.5f}),
            (std::vector<float>{0.0f, -4.0f, 3.0f, 0.0f}));
}

TEST(TopK, TheLowestIndexWinsATie) {
  EXPECT_EQ(compressed("topk:k=2", {1.0f, -2.0f, 2.0f, 2.0f}),
            (std::vector<float>{0.0f, -2.0f, 2.0f, 0.0f}));
  EXPECT_EQ(compressed("topk:k=3", {5.0f, 5.0f, -5.0f, 5.0f}),
            (std::vector<float>{5.0f, 5.0f, -5.0f, 0.0f}));
}

TEST(TopK, KeepsTheFractionRoundedDownButAtLeastOne) {
  EXPECT_EQ(kept(compressed("topk:0.01", normal_vector(1099, 1))), 10u);
  EXPECT_EQ(kept(compressed("topk:0.01", normal_vector(50, 1))), 1u);
}

TEST(TopK, OfAllEntriesSendsNoIndices) {
  EXPECT_EQ(bytes_of("topk:k=64", 64), 64u * 4);
}

TEST(TopK, IndicesCostLittleMoreThanTheirEntropy) {
  const std::size_t d = 272474;
  const std::size_t k = 2724;
  const double index_bits =
      8.0 * static_cast<double>(bytes_of("topk:0.01", d) - 4 * k) / static_cast<double>(k);
  // log2 C(d, k) / k, by Stirling's series in lgamma.
  const double entropy = (std::lgamma(d + 1.0) - std::lgamma(k + 1.0) - std::lgamma(d - k + 1.0)) /
                         std::log(2.0) / static_cast<double>(k);
  EXPECT_NEAR(entropy, 8.07, 0.01);
  EXPECT_LT(index_bits, entropy + 0.6);
}

TEST(TopK, ADenseChoiceTravelsAsABitmap) {
  EXPECT_EQ(bytes_of("topk:0.5", 8000), 1000u + 4000 * 4);
}

TEST(RandK, KeepsExactlyKUnchanged) {
  const std::vector<float> x = normal_vector(1000, 1);
  const std::vector<float> c = compressed("randk:0.05", x);
  EXPECT_EQ(kept(c), 50u);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_TRUE(c[i] == 0.0f || c[i] == x[i]);
}

TEST(RandK, UnbiasedScalesByDOverK) {
  const std::vector<float> x = normal_vector(1000, 1);
  const std::vector<float> c = compressed("randk:0.05,unbiased", x);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_TRUE(c[i] == 0.0f || c[i] == 20.0f * x[i]);
}

TEST(RandK, SendsAStreamAndTheValues) {
  EXPECT_EQ(bytes_of("randk:0.01", 100000), 8u + 1000 * 4);
}

TEST(RandK, EveryIndexIsChosenEquallyOften) {
  std::vector<int> chosen(20, 0);
  const std::vector<float> ones(20, 1.0f);
  constexpr int kRounds = 4000;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<float> c = compressed("randk:k=5", ones, static_cast<std::uint64_t>(round));
    for (std::size_t i = 0; i < c.size(); ++i)
      chosen[i] += c[i] != 0.0f ? 1 : 0;
  }
  // Binomial with p = 1/4; five standard deviations for each of 20 counts.
  for (const int count : chosen)
    EXPECT_NEAR(count, kRounds / 4, 5.0 * std::sqrt(kRounds * 0.25 * 0.75));
}

TEST(Drop, KeepsEachEntryWithItsProbability) {
  const std::vector<float> ones(1000, 1.0f);
  double total = 0.0;
  for (std::uint64_t round = 0; round < 200; ++round)
    total += static_cast<double>(kept(compressed("drop:0.1", ones, round)));
  // 200,000 Bernoulli(0.1) trials; five standard deviations.
  EXPECT_NEAR(total, 20000.0, 5.0 * std::sqrt(200000 * 0.1 * 0.9));
}

TEST(Drop, NeighboursAreDroppedIndependently) {
  // With a table of gaps that restarts, an error at the restart would show as a preferred distance.
  const std::vector<float> ones(2, 1.0f);
  int both = 0;
  constexpr int kRounds = 20000;
  for (int round = 0; round < kRounds; ++round)
    both += kept(compressed("drop:0.3", ones, static_cast<std::uint64_t>(round))) == 2 ? 1 : 0;
  EXPECT_NEAR(both, kRounds * 0.09, 5.0 * std::sqrt(kRounds * 0.09 * 0.91));
}

TEST(Drop, SendsAStreamAndTheKeptValues) {
  const std::vector<float> ones(5000, 1.0f);
  const auto compressor = make("drop:0.1", ones.size());
  const std::vector<std::uint8_t> message = encode(*compressor, ones, key_of(7));
  EXPECT_EQ(message.size(), 8 + 4 * kept(decode(*compressor, message)));
}

TEST(Qsgd, RoundsToLevelsOfTheNorm) {
  const std::vector<float> x = {3.0f, -4.0f, 0.0f, 0.0f};
  // |x| = 5; unscaled with s = 5 levels are whole numbers and every element is one.
  EXPECT_EQ(compressed("qsgd:s=5,unscaled", x), x);
}

TEST(Qsgd, ScaledDividesByTau) {
  const std::vector<float> x = {3.0f, -4.0f, 0.0f, 0.0f};
  const float tau = 1.0f + 4.0f / 25.0f;  // min(d/s^2, sqrt(d)/s) with d = 4, s = 5
  const std::vector<float> c = compressed("qsgd:s=5", x);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_FLOAT_EQ(c[i], x[i] / tau);
}

TEST(Qsgd, ASingleElementHasTheTopLevel) {
  EXPECT_EQ(compressed("qsgd:4,unscaled", {-2.5f}), std::vector<float>{-2.5f});
}

TEST(Qsgd, TakesExactlyBBitsPerEntryAndANorm) {
  for (std::size_t bits = 2; bits <= 16; ++bits) {
    EXPECT_EQ(bytes_of("qsgd:" + std::to_string(bits), 1001), 4 + (1001 * bits + 7) / 8);
  }
  EXPECT_EQ(bytes_of("qsgd:s=256", 1000), 4u + 1000 * 10 / 8);  // 257 levels take 9 bits
  EXPECT_EQ(bytes_of("qsgd:4,bucket=512", 1200), 3u * 4 + 600);
}

TEST(Qsgd, BucketsAreNormedOnTheirOwn) {
  std::vector<float> x(256, 0.0f);
  x[0] = 1e6f;
  x[200] = 1.0f;
  EXPECT_EQ(compressed("qsgd:4,bucket=128,unscaled", x), x);
}

TEST(Sign, SendsTheMeanMagnitudeAndASignEach) {
  EXPECT_EQ(compressed("sign", {1.0f, -2.0f, 0.0f, -5.0f}),
            (std::vector<float>{2.0f, -2.0f, 2.0f, -2.0f}));
  EXPECT_EQ(bytes_of("sign", 272474), 4u + 34060);
}

TEST(Sign, NegativeZeroCountsAsPositive) {
  EXPECT_EQ(compressed("sign", {-0.0f, 2.0f}), (std::vector<float>{1.0f, 1.0f}));
}

TEST(Sign, ErrorIsWhatItsMagnitudesLeave) {
  for (const auto& x : {normal_vector(3001, 1), heavy_vector(3001, 2)}) {
    double one_norm = 0.0;
    for (const float value : x)
      one_norm += std::abs(double{value});
    const double expected = squared_norm(x) - one_norm * one_norm / static_cast<double>(x.size());
    EXPECT_NEAR(squared_distance(compressed("sign", x), x), expected, 1e-6 * squared_norm(x));
  }
}

TEST(SignTopK, ErrorIsWhatItsMagnitudesLeave) {
  const std::vector<float> x = heavy_vector(2000, 3);
  const std::vector<float> u = compressed("topk:0.1", x);
  double one_norm = 0.0;
  for (const float value : u)
    one_norm += std::abs(double{value});
  const double expected = squared_norm(x) - one_norm * one_norm / 200.0;
  EXPECT_NEAR(squared_distance(compressed("topk:0.1+sign", x), x), expected,
              1e-6 * squared_norm(x));
}

TEST(SignTopK, WithTwoNormUsesItOverK) {
  const std::vector<float> c = compressed("topk:k=2+sign:m=2", {3.0f, -4.0f, 1.0f});
  EXPECT_EQ(c, (std::vector<float>{2.5f, -2.5f, 0.0f}));
}

TEST(MinMax, KeepsTheEndsAndAConstantExactly) {
  EXPECT_EQ(compressed("minmax:1", {-1.0f, 3.0f, 3.0f, -1.0f}),
            (std::vector<float>{-1.0f, 3.0f, 3.0f, -1.0f}));
  const std::vector<float> constant(77, 0.1f);
  EXPECT_EQ(compressed("minmax:4", constant), constant);
}

TEST(MinMax, NearestIsWithinHalfAStep) {
  const std::vector<float> x = normal_vector(5000, 4);
  const auto [min, max] = std::ranges::minmax(x);
  const std::vector<float> c = compressed("minmax:8,nearest", x);
  const double step = (double{max} - min) / 255.0;
  // Half a step, the 2^-16 of a step to which levels are computed, and the rounding of floats of
  // this size.
  const double bound = step * (0.5 + 0x1.0p-15) + 0x1.0p-22 * std::max(-min, max);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(c[i], x[i], bound);
}

TEST(MinMax, TakesTwoFloatsAndBBitsPerEntry) {
  for (std::size_t bits = 1; bits <= 16; ++bits) {
    EXPECT_EQ(bytes_of("minmax:" + std::to_string(bits), 1001), 8 + (1001 * bits + 7) / 8);
  }
}

TEST(Composition, QuantisesTheKeptValuesByTheirOwnNorm) {
  const std::vector<float> x = {3.0f, 0.1f, -4.0f, 0.2f};
  const std::vector<float> c = compressed("topk:k=2+qsgd:s=5", x);
  const float tau = 1.0f + 2.0f / 25.0f;
  EXPECT_FLOAT_EQ(c[0], 3.0f / tau);
  EXPECT_EQ(c[1], 0.0f);
  EXPECT_FLOAT_EQ(c[2], -4.0f / tau);
}

TEST(Composition, SizesAreIndicesPlusValues) {
  const std::size_t indices = bytes_of("topk:0.01", 100000) - 4000;
  EXPECT_EQ(bytes_of("topk:0.01+qsgd:4", 100000), indices + 4 + 500);
  EXPECT_EQ(bytes_of("topk:0.01+sign", 100000), indices + 4 + 125);
  EXPECT_EQ(bytes_of("randk:0.01+qsgd:4", 100000), 8u + 4 + 500);
}

TEST(Composition, QualityIsTheDocumentedFormula) {
  const double k = 100.0;
  const double d = 10000.0;
  const double beta = std::min(k / 49.0, std::sqrt(k) / 7.0);
  EXPECT_DOUBLE_EQ(make("topk:0.01+qsgd:4", 10000)->quality().delta, k / (d * (1.0 + beta)));
  const double small_beta = std::min(k / (127.0 * 127.0), std::sqrt(k) / 127.0);
  EXPECT_DOUBLE_EQ(make("topk:0.01+qsgd:8,unscaled", 10000)->quality().delta,
                   (1.0 - small_beta) * k / d);
  EXPECT_DOUBLE_EQ(make("topk:0.01+sign", 10000)->quality().delta, 1.0 / d);
}

TEST(Layerwise, TreatsEachBlockOnItsOwn) {
  Layout layout;
  layout.add("a", {2, 2});
  layout.add("b", {3});
  const auto compressor = std::move(make_compressor("layerwise:topk:k=1", layout)).value();
  const std::vector<float> x = {1.0f, 2.0f, 3.0f, 4.0f, 0.1f, -0.3f, 0.2f};
  EXPECT_EQ(decode(*compressor, encode(*compressor, x, key_of(0))),
            (std::vector<float>{0, 0, 0, 4.0f, 0, -0.3f, 0}));
}

TEST(Layerwise, LeavesSmallOrOneDimensionalBlocksDenseWhereAsked) {
  Layout layout;
  layout.add("weight", {4, 4});
  layout.add("bias", {4});
  layout.add("tiny", {1, 2});
  const std::vector<float> x = normal_vector(22, 1);
  const auto dense = [&](const std::string& spec) {
    const auto compressor = std::move(make_compressor(spec, layout)).value();
    const std::vector<float> c = decode(*compressor, encode(*compressor, x, key_of(0)));
    std::set<std::string> blocks;
    for (const Block& block : layout.blocks()) {
      const auto begin = static_cast<std::ptrdiff_t>(block.offset);
      const auto end = static_cast<std::ptrdiff_t>(block.offset + block.size);
      if (std::equal(x.begin() + begin, x.begin() + end, c.begin() + begin))
        blocks.insert(block.name);
    }
    return blocks;
  };
  EXPECT_EQ(dense("layerwise:sign"), (std::set<std::string>{}));
  EXPECT_EQ(dense("layerwise,dense1d:sign"), (std::set<std::string>{"bias"}));
  EXPECT_EQ(dense("layerwise,min=3:sign"), (std::set<std::string>{"tiny"}));
  EXPECT_EQ(dense("layerwise,dense1d,min=3:sign"), (std::set<std::string>{"bias", "tiny"}));
}

TEST(Layerwise, BlocksOfOneSizeDrawDifferentNumbers) {
  Layout layout;
  layout.add("a", {40});
  layout.add("b", {40});
  const auto compressor = std::move(make_compressor("layerwise:randk:k=10", layout)).value();
  const std::vector<float> ones(80, 1.0f);
  const std::vector<float> c = decode(*compressor, encode(*compressor, ones, key_of(0)));
  EXPECT_FALSE(std::equal(c.begin(), c.begin() + 40, c.begin() + 40));
}

}  // namespace
}  // namespace gossamer
