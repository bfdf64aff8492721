#pragma once

#include <cstdint>
#include <span>

#include "gossamer/math/vec.hpp"

namespace gossamer {

/// A map from numbers to levels 0 ... top:
/// level = (value - offset) * prescale * factor / 2^fraction_bits, rounded.
struct LevelScale {
  float offset = 0.0f;
  /// 1, or for the smallest vectors a power of two, without which the factor would overflow.
  float prescale = 1.0f;
  float factor = 1.0f;
  std::uint16_t top = 0;

  /// A level and its fraction fit 31 bits together.
  [[nodiscard]] int fraction_bits() const { return top < 0x8000 ? 16 : 15; }

  /// Maps [offset, offset + width] to [0, top]. width > 0 and finite.
  [[nodiscard]] static LevelScale over(float offset, float width, std::uint16_t top);
};

enum class Rounding { kNearest, kStochastic };

/// Levels of x, computed with 16 fractional bits (15 where top needs 16). Stochastic rounding adds
/// a random number to these bits before it cuts them off: a level's expectation is exact to 2^-16,
/// and a whole number is kept. Rounding to nearest adds a half. `random` has as many elements as x,
/// or none for nearest.
void quantize(CVec x, const LevelScale& scale, Rounding rounding,
              std::span<const std::uint16_t> random, std::span<std::uint16_t> levels);

/// The same for magnitudes, with bit `sign_bit` of a level set where x < 0. The offset must be 0.
void quantize_signed(CVec x, const LevelScale& scale, unsigned sign_bit,
                     std::span<const std::uint16_t> random, std::span<std::uint16_t> levels);

/// y += a * (offset + level * step)
void add_levels(std::span<const std::uint16_t> levels, float offset, float step, float a, Vec y);

/// y += a * (+-level * unit), negative where bit `sign_bit` of a level is set.
void add_signed_levels(std::span<const std::uint16_t> levels, unsigned sign_bit, float unit,
                       float a, Vec y);

}  // namespace gossamer
