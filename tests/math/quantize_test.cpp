#include "gossamer/math/kernels/quantize.hpp"

#include <cmath>
#include <limits>

#include "tests/math/kernels.hpp"

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

std::vector<std::uint16_t> dice(std::size_t size) {
  Rng rng(RngKey{.seed = size});
  std::vector<std::uint16_t> random(size);
  for (std::uint16_t& value : random)
    value = static_cast<std::uint16_t>(rng.next_u32());
  return random;
}

// The plain twin of one element: fixed point, clamped, carried, cut.
std::uint16_t level_of(float number, const LevelScale& scale, std::uint16_t random) {
  const float scaled = number * scale.factor;
  const std::int64_t fixed =
      std::min<std::int64_t>(std::llrint(scaled), std::int64_t{scale.top} << scale.fraction_bits());
  return static_cast<std::uint16_t>((fixed + (random >> (16 - scale.fraction_bits()))) >>
                                    scale.fraction_bits());
}

constexpr std::uint16_t kTops[] = {1, 3, 7, 255, 32767};

TEST(Quantize, EqualsItsTwinOnEveryInstructionSet) {
  for (const std::size_t length : kLengths) {
    for (const std::size_t offset : kOffsets) {
      const std::vector<float> storage = normal_vector(length + offset, length);
      const CVec x = shifted(storage, offset);
      const std::vector<std::uint16_t> random = dice(length);
      for (const std::uint16_t top :
           {kTops[0], kTops[2], kTops[3], kTops[4], std::uint16_t{65535}}) {
        const LevelScale scale = LevelScale::over(-5.0f, 10.0f, top);
        on_every_instruction_set([&] {
          std::vector<std::uint16_t> levels(length);
          quantize(x, scale, Rounding::kStochastic, random, levels);
          for (std::size_t i = 0; i < length; ++i)
            ASSERT_EQ(levels[i], level_of(x.data()[i] + 5.0f, scale, random[i]));
          quantize(x, scale, Rounding::kNearest, {}, levels);
          for (std::size_t i = 0; i < length; ++i)
            ASSERT_EQ(levels[i], level_of(x.data()[i] + 5.0f, scale, 0x8000));
        });
      }
    }
  }
}

TEST(Quantize, SignedEqualsItsTwinOnEveryInstructionSet) {
  for (const std::size_t length : kLengths) {
    const std::vector<float> x = heavy_vector(length, length);
    float norm = 1e-3f;
    for (const float value : x)
      norm = std::max(norm, std::abs(value));
    const std::vector<std::uint16_t> random = dice(length);
    for (const std::uint16_t top : kTops) {
      const LevelScale scale = LevelScale::over(0.0f, norm, top);
      on_every_instruction_set([&] {
        std::vector<std::uint16_t> levels(length);
        quantize_signed(view(x), scale, 15, random, levels);
        for (std::size_t i = 0; i < length; ++i) {
          const unsigned sign = x[i] < 0.0f ? 0x8000u : 0u;
          ASSERT_EQ(levels[i], sign | level_of(std::abs(x[i]), scale, random[i]));
        }
      });
    }
  }
}

TEST(Quantize, WholeLevelsAreKeptWhateverTheDice) {
  std::vector<float> x(256);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  for (const std::uint16_t random : {std::uint16_t{0}, std::uint16_t{65535}}) {
    std::vector<std::uint16_t> levels(256);
    quantize(view(x), LevelScale::over(0.0f, 255.0f, 255), Rounding::kStochastic,
             std::vector<std::uint16_t>(256, random), levels);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(levels[i], i);
  }
}

TEST(Quantize, GoesUpAsOftenAsTheFractionSays) {
  // All 2^16 dice: the number that go up is the fraction times 2^16, exactly.
  std::vector<std::uint16_t> random(65536);
  for (std::size_t i = 0; i < random.size(); ++i)
    random[i] = static_cast<std::uint16_t>(i);
  const std::vector<float> x(65536, 2.25f);
  std::vector<std::uint16_t> levels(65536);
  quantize(view(x), LevelScale::over(0.0f, 8.0f, 8), Rounding::kStochastic, random, levels);
  EXPECT_EQ(std::ranges::count(levels, 3), 65536 / 4);
  EXPECT_EQ(std::ranges::count(levels, 2), 65536 * 3 / 4);
}

TEST(Quantize, TheSmallestWidthsDoNotOverflow) {
  for (const float width : {std::numeric_limits<float>::denorm_min(), 1e-40f,
                            std::numeric_limits<float>::min(), std::numeric_limits<float>::max()}) {
    const LevelScale scale = LevelScale::over(0.0f, width, 7);
    EXPECT_TRUE(std::isfinite(scale.factor));
    std::vector<std::uint16_t> levels(2);
    quantize(view({0.0f, width}), scale, Rounding::kNearest, {}, levels);
    EXPECT_EQ(levels, (std::vector<std::uint16_t>{0, 7}));
  }
}

TEST(AddLevels, EqualsItsTwinOnEveryInstructionSet) {
  for (const std::size_t length : kLengths) {
    const std::vector<std::uint16_t> levels = dice(length);
    const std::vector<float> start = normal_vector(length, 9);
    on_every_instruction_set([&] {
      std::vector<float> y = start;
      add_levels(levels, -1.5f, 0.01f, 0.3f, view(y));
      for (std::size_t i = 0; i < length; ++i) {
        const float product = static_cast<float>(levels[i]) * 0.01f;
        const float value = -1.5f + product;
        const float term = 0.3f * value;
        ASSERT_EQ(y[i], start[i] + term);
      }
      y = start;
      add_signed_levels(levels, 15, 0.01f, 0.3f, view(y));
      for (std::size_t i = 0; i < length; ++i) {
        const float magnitude = static_cast<float>(levels[i] & 0x7FFF) * 0.01f;
        const float term = 0.3f * ((levels[i] & 0x8000) != 0 ? -magnitude : magnitude);
        ASSERT_EQ(y[i], start[i] + term);
      }
    });
  }
}

TEST(Quantize, RefusesDiceOfAnotherNumber) {
  std::vector<std::uint16_t> levels(3);
  const LevelScale scale = LevelScale::over(0.0f, 1.0f, 7);
  EXPECT_THROW(quantize(view({1.0f, 2.0f, 3.0f}), scale, Rounding::kStochastic, dice(2), levels),
               ContractViolation);
  EXPECT_THROW(quantize(view({1.0f, 2.0f, 3.0f}), scale, Rounding::kNearest, dice(3), levels),
               ContractViolation);
}

}  // namespace
}  // namespace gossamer
