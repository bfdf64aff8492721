#include "gossamer/math/kernels/quantize.hpp"

#include <algorithm>
#include <cmath>

#include "gossamer/base/contract.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gossamer/math/kernels/quantize.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();

namespace gossamer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<Tag>;
using LevelTag = hn::Rebind<std::uint16_t, Tag>;
using Floats = hn::Vec<Tag>;

HWY_INLINE hn::Vec<IntTag> IntsOf(const std::uint16_t* values) {
  return hn::PromoteTo(IntTag(), hn::LoadU(LevelTag(), values));
}

// What is added to a level's fractional bits before they are cut off.
struct Half {
  std::int32_t half;

  HWY_INLINE hn::Vec<IntTag> at(std::size_t) const { return hn::Set(IntTag(), half); }
};

struct Dice {
  const std::uint16_t* random;

  HWY_INLINE hn::Vec<IntTag> at(std::size_t i) const { return IntsOf(random + i); }
};

struct Unsigned {
  HWY_INLINE Floats numbers(Floats x, Floats offset) const { return hn::Sub(x, offset); }

  HWY_INLINE hn::Vec<IntTag> codes(hn::Vec<IntTag> levels, Floats) const { return levels; }
};

struct Signed {
  std::int32_t sign;

  HWY_INLINE Floats numbers(Floats x, Floats) const { return hn::Abs(x); }

  HWY_INLINE hn::Vec<IntTag> codes(hn::Vec<IntTag> levels, Floats x) const {
    const IntTag di;
    const auto negative = hn::RebindMask(di, hn::Lt(x, hn::Zero(Tag())));
    return hn::Or(levels, hn::IfThenElseZero(negative, hn::Set(di, sign)));
  }
};

template <typename Form, typename Carry>
void QuantizeAll(const float* x, std::size_t size, const LevelScale& scale, const Form& form,
                 const Carry& carry, std::uint16_t* levels) {
  const Tag d;
  const IntTag di;
  const std::size_t n = hn::Lanes(d);
  const auto offset = hn::Set(d, scale.offset);
  const auto factor = hn::Set(d, scale.factor);
  const int fraction_bits = scale.fraction_bits();
  const auto top = hn::Set(di, std::int32_t{scale.top} << fraction_bits);
  for (std::size_t i = 0; i < size; i += n) {
    const auto v = hn::LoadU(d, x + i);
    const auto fixed = hn::NearestInt(hn::Mul(form.numbers(v, offset), factor));
    // The largest sum has all of its 31 bits set.
    const auto sum = hn::Add(hn::Min(fixed, top), carry.at(i));
    const auto rounded = hn::ShiftRightSame(sum, fraction_bits);
    hn::StoreU(hn::DemoteTo(LevelTag(), form.codes(rounded, v)), LevelTag(), levels + i);
  }
}

template <typename Form>
void QuantizeWith(const float* x, std::size_t size, const LevelScale& scale, const Form& form,
                  const std::uint16_t* random, std::uint16_t* levels) {
  if (random == nullptr) {
    QuantizeAll(x, size, scale, form, Half{std::int32_t{1} << (scale.fraction_bits() - 1)}, levels);
  } else {
    QuantizeAll(x, size, scale, form, Dice{random}, levels);
  }
}

void Quantize(const LevelScale& scale, const float* x, std::size_t size,
              const std::uint16_t* random, std::uint16_t* levels) {
  QuantizeWith(x, size, scale, Unsigned{}, random, levels);
}

void QuantizeSigned(const LevelScale& scale, std::int32_t sign, const float* x, std::size_t size,
                    const std::uint16_t* random, std::uint16_t* levels) {
  QuantizeWith(x, size, scale, Signed{sign}, random, levels);
}

void AddLevels(const std::uint16_t* levels, std::size_t size, float offset, float step, float a,
               float* y) {
  const Tag d;
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const auto value = hn::Add(hn::Set(d, offset),
                               hn::Mul(hn::ConvertTo(d, IntsOf(levels + i)), hn::Set(d, step)));
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::Mul(hn::Set(d, a), value)), d, y + i);
  }
}

void AddSignedLevels(const std::uint16_t* levels, std::size_t size, std::int32_t sign, float unit,
                     float a, float* y) {
  const Tag d;
  const IntTag di;
  const auto sign_mask = hn::Set(di, sign);
  const auto level_mask = hn::Set(di, sign - 1);
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const auto code = IntsOf(levels + i);
    const auto magnitude = hn::Mul(hn::ConvertTo(d, hn::And(code, level_mask)), hn::Set(d, unit));
    const auto negative = hn::RebindMask(d, hn::TestBit(code, sign_mask));
    const auto value = hn::IfThenElse(negative, hn::Neg(magnitude), magnitude);
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::Mul(hn::Set(d, a), value)), d, y + i);
  }
}

std::size_t VectorLength() {
  return hn::Lanes(Tag());
}

}  // namespace gossamer::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gossamer {

HWY_EXPORT(Quantize);
HWY_EXPORT(QuantizeSigned);
HWY_EXPORT(AddLevels);
HWY_EXPORT(AddSignedLevels);
HWY_EXPORT(VectorLength);

namespace {

constexpr std::size_t kLongestVector = 16;

// The kernels work on whole vectors. The last, partial one is copied to a padded place, so that no
// kernel reads or writes beyond its arrays, and every element goes through the same instructions.
template <typename T>
struct Padded {
  T values[kLongestVector] = {};

  Padded(const T* from, std::size_t count) { std::copy_n(from, count, values); }
};

std::size_t whole_vectors(std::size_t size) {
  const std::size_t n = HWY_DYNAMIC_DISPATCH(VectorLength)();
  return size / n * n;
}

// Runs `kernel(x, size, random, levels)` on whole vectors, then on the padded rest.
template <typename Kernel>
void quantize_by_vectors(CVec x, std::span<const std::uint16_t> random,
                         std::span<std::uint16_t> levels, const Kernel& kernel) {
  const std::size_t size = levels.size();
  expects(static_cast<std::size_t>(x.size()) == size && (random.empty() || random.size() == size),
          "one random number and one level per element");
  const std::size_t whole = whole_vectors(size);
  const std::uint16_t* const dice = random.empty() ? nullptr : random.data();
  kernel(x.data(), whole, dice, levels.data());
  const std::size_t rest = size - whole;
  if (rest == 0) return;
  const Padded<float> last_x(x.data() + whole, rest);
  const Padded<std::uint16_t> last_dice(dice == nullptr ? nullptr : dice + whole,
                                        dice == nullptr ? 0 : rest);
  std::uint16_t last_levels[kLongestVector];
  kernel(last_x.values, rest, dice == nullptr ? nullptr : last_dice.values, last_levels);
  std::copy_n(last_levels, rest, levels.data() + whole);
}

// The same for any scale: the kernels know neither a prescale nor dice of fewer than 16 bits, which
// are rare, so both are applied to a copy.
template <typename Kernel>
void quantize_scaled(CVec x, const LevelScale& scale, std::span<const std::uint16_t> random,
                     std::span<std::uint16_t> levels, const Kernel& kernel) {
  const auto run = [&](CVec part, const LevelScale& of, std::span<const std::uint16_t> dice,
                       std::span<std::uint16_t> out) {
    quantize_by_vectors(part, dice, out, [&](auto... arguments) { kernel(of, arguments...); });
  };
  if (scale.prescale == 1.0f && scale.fraction_bits() == 16) return run(x, scale, random, levels);
  LevelScale plain = scale;
  plain.offset *= scale.prescale;
  constexpr std::size_t kChunk = 256;
  for (std::size_t begin = 0; begin < levels.size(); begin += kChunk) {
    const std::size_t count = std::min(kChunk, levels.size() - begin);
    float numbers[kChunk];
    std::uint16_t dice[kChunk];
    const std::size_t dice_count = random.empty() ? 0 : count;
    std::transform(x.data() + begin, x.data() + begin + count, numbers,
                   [&](float value) { return value * scale.prescale; });
    std::transform(random.data() + begin, random.data() + begin + dice_count, dice,
                   [&](unsigned die) {
                     return static_cast<std::uint16_t>(die >> (16 - scale.fraction_bits()));
                   });
    run(CVec(numbers, static_cast<Eigen::Index>(count)), plain, {dice, dice_count},
        levels.subspan(begin, count));
  }
}

template <typename Kernel>
void add_by_vectors(std::span<const std::uint16_t> levels, Vec y, const Kernel& kernel) {
  expects(static_cast<std::size_t>(y.size()) == levels.size(), "one level per element");
  const std::size_t whole = whole_vectors(levels.size());
  kernel(levels.data(), whole, y.data());
  const std::size_t rest = levels.size() - whole;
  if (rest == 0) return;
  const Padded<std::uint16_t> last_levels(levels.data() + whole, rest);
  Padded<float> last_y(y.data() + whole, rest);
  kernel(last_levels.values, rest, last_y.values);
  std::copy_n(last_y.values, rest, y.data() + whole);
}

}  // namespace

LevelScale LevelScale::over(float offset, float width, std::uint16_t top) {
  expects(width > 0.0f && std::isfinite(width), "levels span a positive, finite width");
  // At most 2^31 steps to a width: the factor fits a float down to a width of 2^-96. Numbers that
  // differ by less than 2^-90 are below 2^-60 themselves, so scaling them up loses nothing.
  LevelScale scale{.offset = offset, .prescale = width < 0x1.0p-90f ? 0x1.0p60f : 1.0f, .top = top};
  scale.factor = static_cast<float>(std::ldexp(top, scale.fraction_bits()) /
                                    (double{width} * double{scale.prescale}));
  return scale;
}

void quantize(CVec x, const LevelScale& scale, Rounding rounding,
              std::span<const std::uint16_t> random, std::span<std::uint16_t> levels) {
  expects((rounding == Rounding::kNearest) == random.empty() || levels.empty(),
          "stochastic rounding needs random numbers, rounding to nearest none");
  quantize_scaled(x, scale, random, levels, [](const LevelScale& of, auto... arguments) {
    HWY_DYNAMIC_DISPATCH(Quantize)(of, arguments...);
  });
}

void quantize_signed(CVec x, const LevelScale& scale, unsigned sign_bit,
                     std::span<const std::uint16_t> random, std::span<std::uint16_t> levels) {
  expects(scale.offset == 0.0f && scale.top < (1u << sign_bit) && sign_bit < 16,
          "the sign has a bit of its own");
  quantize_scaled(x, scale, random, levels, [&](const LevelScale& of, auto... arguments) {
    HWY_DYNAMIC_DISPATCH(QuantizeSigned)(of, std::int32_t{1} << sign_bit, arguments...);
  });
}

void add_levels(std::span<const std::uint16_t> levels, float offset, float step, float a, Vec y) {
  add_by_vectors(levels, y, [&](auto* values, auto size, auto* out) {
    HWY_DYNAMIC_DISPATCH(AddLevels)(values, size, offset, step, a, out);
  });
}

void add_signed_levels(std::span<const std::uint16_t> levels, unsigned sign_bit, float unit,
                       float a, Vec y) {
  add_by_vectors(levels, y, [&](auto* values, auto size, auto* out) {
    HWY_DYNAMIC_DISPATCH(AddSignedLevels)(values, size, std::int32_t{1} << sign_bit, unit, a, out);
  });
}

}  // namespace gossamer

#endif  // HWY_ONCE
