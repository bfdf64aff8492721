// The laws of compress/compressor.hpp, for every registered operator.

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/compress/operators.hpp"
#include <gtest/gtest.h>

#include "gossamer/math/instruction_sets.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

class CompressorLaw : public ::testing::TestWithParam<std::string> {
 protected:
  /// Calls check(compressor, x, key) for vectors of every kind, size and a few seeds.
  template <typename Check>
  void for_each_case(const Check& check) const {
    for (const std::size_t size : kSizes) {
      const auto compressor = make(GetParam(), size);
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        for (const auto& x :
             {normal_vector(size, seed), heavy_vector(size, seed), spike_vector(size, seed)}) {
          SCOPED_TRACE(fmt_case(size, seed));
          check(*compressor, x, key_of(seed));
        }
      }
    }
  }

  [[nodiscard]] std::string fmt_case(std::size_t size, std::uint64_t seed) const {
    return GetParam() + " on " + std::to_string(size) + " elements, seed " + std::to_string(seed);
  }
};

TEST_P(CompressorLaw, SpecMakesTheSameOperatorAgain) {
  for_each_case([](const Compressor& compressor, const std::vector<float>& x, const RngKey& key) {
    const auto again = make(compressor.spec(), compressor.size());
    EXPECT_EQ(encode(*again, x, key), encode(compressor, x, key));
  });
}

TEST_P(CompressorLaw, EncodeIsAFunctionOfVectorAndKeyOnEveryInstructionSet) {
  for_each_case([](const Compressor& compressor, const std::vector<float>& x, const RngKey& key) {
    const std::vector<std::uint8_t> expected = encode(compressor, x, key);
    for (const InstructionSet& set : instruction_sets()) {
      const ForcedInstructionSet forced(set);
      EXPECT_EQ(encode(compressor, x, key), expected) << set.name;
    }
  });
}

TEST_P(CompressorLaw, DecodesToTheSameBitsOnEveryInstructionSet) {
  for_each_case([](const Compressor& compressor, const std::vector<float>& x, const RngKey& key) {
    const std::vector<std::uint8_t> message = encode(compressor, x, key);
    const std::vector<float> expected = decode(compressor, message);
    for (const InstructionSet& set : instruction_sets()) {
      const ForcedInstructionSet forced(set);
      EXPECT_EQ(decode(compressor, message), expected) << set.name;
    }
  });
}

TEST_P(CompressorLaw, AppendsEncodedSizeBytesBehindWhatIsThere) {
  for_each_case([](const Compressor& compressor, const std::vector<float>& x, const RngKey& key) {
    Scratch scratch;
    ByteWriter out;
    out.write(std::uint8_t{7});
    compressor.encode(view(x), key, scratch, out);
    EXPECT_EQ(out.size(), 1 + compressor.encoded_size(key));
    EXPECT_EQ(out.bytes()[0], 7);
    EXPECT_EQ(compressor.message_size(out.bytes().subspan(1)), compressor.encoded_size(key));
  });
}

TEST_P(CompressorLaw, EncodesADifferenceAsItsVector) {
  for_each_case([](const Compressor& compressor, const std::vector<float>& x, const RngKey& key) {
    const std::vector<float> w = normal_vector(x.size(), 98);
    std::vector<float> difference = x;
    for (std::size_t i = 0; i < x.size(); ++i)
      difference[i] -= w[i];
    Scratch scratch;
    ByteWriter out;
    compressor.encode_difference(view(x), view(w), key, scratch, out);
    EXPECT_TRUE(std::ranges::equal(out.bytes(), encode(compressor, difference, key)));
  });
}

TEST_P(CompressorLaw, AddIsYPlusAScaledDecode) {
  for_each_case([](const Compressor& compressor, const std::vector<float>& x, const RngKey& key) {
    const std::vector<std::uint8_t> message = encode(compressor, x, key);
    const std::vector<float> decoded = decode(compressor, message);
    const float a = -0.3f;
    std::vector<float> y = normal_vector(x.size(), 99);
    std::vector<float> expected = y;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const float term = a * decoded[i];
      expected[i] += term;
    }
    add(compressor, message, a, y);
    EXPECT_EQ(y, expected);
  });
}

TEST_P(CompressorLaw, AddIsLinearInItsScale) {
  for_each_case([](const Compressor& compressor, const std::vector<float>& x, const RngKey& key) {
    const std::vector<std::uint8_t> message = encode(compressor, x, key);
    std::vector<float> twice(x.size(), 0.0f);
    add(compressor, message, 0.5f, twice);
    add(compressor, message, 0.5f, twice);
    EXPECT_EQ(twice, decode(compressor, message));  // powers of two: exact
  });
}

// What a memory keeps and what was sent add up to what went in, to one rounding.
TEST_P(CompressorLaw, ErrorMemoryLosesNothing) {
  for_each_case([](const Compressor& compressor, const std::vector<float>& x, const RngKey& key) {
    const std::vector<float> sent = decode(compressor, encode(compressor, x, key));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float memory = x[i] - sent[i];
      const float scale = std::abs(x[i]) + std::abs(sent[i]);
      EXPECT_NEAR(double{memory} + sent[i], x[i], 0x1.0p-24 * scale);
    }
  });
}

constexpr int kDraws = 400;

TEST_P(CompressorLaw, ErrorStaysWithinItsQuality) {
  for (const std::size_t size : {2, 17, 1023}) {
    const auto compressor = make(GetParam(), static_cast<std::size_t>(size));
    const Quality quality = compressor->quality();
    const double contraction = quality.delta > 0.0 ? 1.0 - quality.delta : quality.omega;
    const double bound = std::min(contraction, quality.omega);
    ASSERT_GE(quality.delta, 0.0);
    ASSERT_LE(quality.delta, 1.0);
    for (const auto& x : {normal_vector(size, 5), heavy_vector(size, 5), spike_vector(size, 5)}) {
      double error = 0.0;
      double error_squares = 0.0;
      for (int draw = 0; draw < kDraws; ++draw) {
        const double one =
            squared_distance(decode(*compressor, encode(*compressor, x, key_of(draw))), x);
        error += one / kDraws;
        error_squares += one * one / kDraws;
      }
      // Some bounds are met with equality, so the mean of so many draws may exceed them by its own
      // noise.
      const double noise = 4.0 * std::sqrt(std::max(0.0, error_squares - error * error) / kDraws);
      EXPECT_LE(error, bound * squared_norm(x) + noise + 1e-12 * squared_norm(x))
          << GetParam() << " at " << size;
    }
  }
}

TEST_P(CompressorLaw, IsUnbiasedWhereItSaysSo) {
  constexpr std::size_t kSize = 257;
  const auto compressor = make(GetParam(), kSize);
  if (!compressor->quality().unbiased) return;
  const std::vector<float> x = heavy_vector(kSize, 11);
  for (std::uint64_t direction = 0; direction < 8; ++direction) {
    const std::vector<float> w = normal_vector(kSize, 1000 + direction);
    double mean = 0.0;
    double squares = 0.0;
    for (int draw = 0; draw < kDraws; ++draw) {
      const std::vector<float> decoded = decode(*compressor, encode(*compressor, x, key_of(draw)));
      double along = 0.0;
      for (std::size_t i = 0; i < kSize; ++i)
        along += double{w[i]} * (double{decoded[i]} - x[i]);
      mean += along / kDraws;
      squares += along * along / kDraws;
    }
    const double sigma = std::sqrt(std::max(0.0, squares - mean * mean) / kDraws);
    // Values are floats: what is exact in real numbers is rounded once per element.
    const double rounding = 0x1.0p-23 * std::sqrt(squared_norm(x) * squared_norm(w));
    EXPECT_LE(std::abs(mean), 4.0 * sigma + rounding)
        << GetParam() << " along direction " << direction;
  }
}

TEST_P(CompressorLaw, ZerosDecodeToZeros) {
  for (const std::size_t size : kSizes) {
    const auto compressor = make(GetParam(), size);
    const std::vector<float> zeros(size, 0.0f);
    EXPECT_EQ(decode(*compressor, encode(*compressor, zeros, key_of(1))), zeros);
  }
}

TEST_P(CompressorLaw, TheSmallestNumbersStayFiniteAndBounded) {
  const float denormal = std::numeric_limits<float>::denorm_min();
  for (const std::size_t size : kSizes) {
    const auto compressor = make(GetParam(), size);
    std::vector<float> x(size);
    for (std::size_t i = 0; i < size; ++i)
      x[i] = denormal * static_cast<float>(static_cast<int>(i % 7) - 3);
    for (const float value : decode(*compressor, encode(*compressor, x, key_of(2)))) {
      // No operator gains more than its scale d/k, here at most 4.1, or its norm, here at most 3
      // sqrt(d).
      EXPECT_LE(std::abs(value), denormal * 3.0f * (4.1f + std::sqrt(static_cast<float>(size))));
    }
  }
}

TEST_P(CompressorLaw, ANonFiniteValueNeverLeavesANode) {
  // An operator that draws some elements at random looks at no others.
  const bool looks_at_all =
      GetParam().find("rand") == std::string::npos && GetParam().find("drop") == std::string::npos;
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{16}, std::size_t{1023}, std::size_t{4097}}) {
    const auto compressor = make(GetParam(), size);
    for (const std::size_t place : {std::size_t{0}, size / 2, size - 1}) {
      for (const float bad :
           {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
            -std::numeric_limits<float>::infinity()}) {
        std::vector<float> x = normal_vector(size, 3);
        x[place] = bad;
        SCOPED_TRACE(fmt_case(size, place));
        if (looks_at_all) {
          EXPECT_THROW((void)encode(*compressor, x, key_of(3)), NonFiniteValue);
          continue;
        }
        try {
          for (const float value : decode(*compressor, encode(*compressor, x, key_of(3))))
            EXPECT_TRUE(std::isfinite(value));
        } catch (const NonFiniteValue& error) {
          EXPECT_STRNE(error.what(), "");
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, CompressorLaw, ::testing::ValuesIn(operator_specs()), test_name);

}  // namespace
}  // namespace gossamer
