#include "gossamer/math/kernels/bitpack.hpp"

#include <cstring>

#include "gossamer/base/bits.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gossamer/math/kernels/bitpack.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();

namespace gossamer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Eight floats make a byte of signs; longer vectors make several.
using SignTag = hn::CappedTag<float, 16>;

// Whole bytes only: size is a multiple of 8, and of the vector length where that is longer.
std::size_t PackSigns(const float* x, std::size_t size, std::uint8_t* out) {
  const SignTag d;
  const std::size_t n = hn::Lanes(d);
  const std::size_t step = n < 8 ? 8 : n;
  std::size_t i = 0;
  for (; i + step <= size; i += step) {
    if (n >= 8) {
      hn::StoreMaskBits(d, hn::Lt(hn::LoadU(d, x + i), hn::Zero(d)), out + i / 8);
    } else {
      unsigned byte = 0;
      for (std::size_t lane = 0; lane < 8; lane += n) {
        std::uint8_t part[8] = {};
        hn::StoreMaskBits(d, hn::Lt(hn::LoadU(d, x + i + lane), hn::Zero(d)), part);
        byte |= static_cast<unsigned>(part[0]) << lane;
      }
      out[i / 8] = static_cast<std::uint8_t>(byte);
    }
  }
  return i;
}

std::size_t AddSigns(const std::uint8_t* packed, float magnitude, float* y, std::size_t size) {
  const SignTag d;
  const hn::RebindToUnsigned<SignTag> du;
  const std::size_t n = hn::Lanes(d);
  const std::size_t step = n < 8 ? 8 : n;
  const auto plus = hn::BitCast(du, hn::Set(d, magnitude));
  const auto bit_of_lane = hn::Shl(hn::Set(du, 1), hn::Iota(du, 0));
  const auto sign_bit = hn::Set(du, 0x80000000u);
  std::size_t i = 0;
  for (; i + step <= size; i += step) {
    std::uint32_t bits = packed[i / 8];
    if (n > 8) bits |= std::uint32_t{packed[i / 8 + 1]} << 8;
    for (std::size_t lane = 0; lane < step; lane += n) {
      const auto negative = hn::TestBit(hn::Set(du, bits >> lane), bit_of_lane);
      const auto term = hn::BitCast(d, hn::Xor(plus, hn::IfThenElseZero(negative, sign_bit)));
      hn::StoreU(hn::Add(hn::LoadU(d, y + i + lane), term), d, y + i + lane);
    }
  }
  return i;
}

// Each pair of 4-bit fields becomes a byte; the number of fields is a multiple of 2 vectors' worth.
std::size_t PackNibbles(const std::uint16_t* fields, std::size_t size, std::uint8_t* out) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const hn::Repartition<std::uint16_t, decltype(d)> d16;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 2 * n <= size; i += 2 * n) {
    const auto pairs = hn::BitCast(d, hn::LoadU(d16, fields + i));
    const auto bytes = hn::And(hn::Or(pairs, hn::ShiftRight<12>(pairs)), hn::Set(d, 0xFFu));
    hn::StoreU(hn::TruncateTo(d8, bytes), d8, out + i / 2);
  }
  return i;
}

std::size_t UnpackNibbles(const std::uint8_t* packed, std::size_t size, std::uint16_t* fields) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const hn::Repartition<std::uint16_t, decltype(d)> d16;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 2 * n <= size; i += 2 * n) {
    const auto bytes = hn::PromoteTo(d, hn::LoadU(d8, packed + i / 2));
    const auto low = hn::And(bytes, hn::Set(d, 0xFu));
    const auto high = hn::And(hn::ShiftLeft<12>(bytes), hn::Set(d, 0xF0000u));
    hn::StoreU(hn::BitCast(d16, hn::Or(low, high)), d16, fields + i);
  }
  return i;
}

std::size_t PackBytes(const std::uint16_t* fields, std::size_t size, std::uint8_t* out) {
  const hn::CappedTag<std::uint16_t, 32> d;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    hn::StoreU(hn::TruncateTo(d8, hn::LoadU(d, fields + i)), d8, out + i);
  }
  return i;
}

std::size_t UnpackBytes(const std::uint8_t* packed, std::size_t size, std::uint16_t* fields) {
  const hn::CappedTag<std::uint16_t, 32> d;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(d8, packed + i)), d, fields + i);
  }
  return i;
}

}  // namespace gossamer::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gossamer {

HWY_EXPORT(PackSigns);
HWY_EXPORT(AddSigns);
HWY_EXPORT(PackNibbles);
HWY_EXPORT(UnpackNibbles);
HWY_EXPORT(PackBytes);
HWY_EXPORT(UnpackBytes);

namespace {

constexpr std::uint64_t kEvenFields = 0x0000FFFF0000FFFFull;

constexpr std::uint64_t low_bits(unsigned count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// Four 16-bit fields of `Bits` used bits each, moved together into the low 4 * Bits bits, and back.
template <unsigned Bits>
std::uint64_t squeeze(std::uint64_t fields) {
  const std::uint64_t pairs = (fields & kEvenFields) | ((fields >> 16 & kEvenFields) << Bits);
  return (pairs & 0xFFFFFFFFull) | (pairs >> 32) << (2 * Bits);
}

template <unsigned Bits>
std::uint64_t spread(std::uint64_t packed) {
  constexpr std::uint64_t kPair = low_bits(2 * Bits);
  constexpr std::uint64_t kFields = low_bits(Bits) * 0x0000000100000001ull;
  const std::uint64_t pairs = (packed & kPair) | (packed >> (2 * Bits) & kPair) << 32;
  return (pairs & kFields) | (pairs >> Bits & kFields) << 16;
}

// Eight fields fill `Bits` whole bytes.
template <unsigned Bits>
void pack_eights(const std::uint16_t* fields, std::size_t groups, std::uint8_t* out) {
  constexpr unsigned kHalf = 4 * Bits;
  for (std::size_t group = 0; group < groups; ++group) {
    std::uint64_t halves[2];
    std::memcpy(halves, fields + 8 * group, sizeof(halves));
    const std::uint64_t low = squeeze<Bits>(halves[0]);
    const std::uint64_t high = squeeze<Bits>(halves[1]);
    std::uint64_t joined[2] = {low, high};
    if constexpr (kHalf < 64) joined[0] |= high << kHalf;
    if constexpr (kHalf > 32 && kHalf < 64) joined[1] = high >> (64 - kHalf);
    std::memcpy(out + group * Bits, joined, Bits);
  }
}

template <unsigned Bits>
void unpack_eights(ByteView packed, std::size_t groups, std::uint16_t* fields) {
  constexpr unsigned kHalf = 4 * Bits;
  for (std::size_t group = 0; group < groups; ++group) {
    const ByteView from = packed.subspan(group * Bits);
    std::uint64_t joined[2] = {};
    // A wide load is cheaper than copying the bytes to a place of their own and loading that, but
    // the last groups have no bytes behind them.
    if (from.size() >= sizeof(joined)) {
      std::memcpy(joined, from.data(), sizeof(joined));
    } else {
      std::memcpy(joined, from.data(), Bits);
    }
    std::uint64_t high = joined[1];
    if constexpr (kHalf < 64) high = joined[0] >> kHalf;
    if constexpr (kHalf > 32 && kHalf < 64) high |= joined[1] << (64 - kHalf);
    const std::uint64_t halves[2] = {spread<Bits>(joined[0] & low_bits(kHalf)),
                                     spread<Bits>(high & low_bits(kHalf))};
    std::memcpy(fields + 8 * group, halves, sizeof(halves));
  }
}

// Calls work.template operator()<bits>(): a width known at compile time turns shifts and copies
// into constants.
template <unsigned Bits = 1, typename Work>
void with_width(unsigned bits, const Work& work) {
  if (bits == Bits) {
    work.template operator()<Bits>();
  } else if constexpr (Bits < 16) {
    with_width<Bits + 1>(bits, work);
  }
}

std::size_t pack_prefix(std::span<const std::uint16_t> fields, unsigned bits, std::uint8_t* out) {
  if (bits == 8) return HWY_DYNAMIC_DISPATCH(PackBytes)(fields.data(), fields.size(), out);
  if (bits == 4) return HWY_DYNAMIC_DISPATCH(PackNibbles)(fields.data(), fields.size(), out);
  return 0;
}

std::size_t unpack_prefix(ByteView packed, unsigned bits, std::span<std::uint16_t> fields) {
  if (bits == 8)
    return HWY_DYNAMIC_DISPATCH(UnpackBytes)(packed.data(), fields.size(), fields.data());
  if (bits == 4)
    return HWY_DYNAMIC_DISPATCH(UnpackNibbles)(packed.data(), fields.size(), fields.data());
  return 0;
}

}  // namespace

void pack_fields(std::span<const std::uint16_t> fields, unsigned bits,
                 std::span<std::uint8_t> out) {
  expects(bits >= 1 && bits <= 16 && out.size() == bytes_for_bits(fields.size() * bits),
          "pack_fields() fills out");
  // The vector kernels stop at a multiple of their length; what they leave starts on a byte.
  std::size_t i = pack_prefix(fields, bits, out.data()) / 8 * 8;
  const std::size_t groups = (fields.size() - i) / 8;
  with_width(bits, [&]<unsigned Bits>() {
    pack_eights<Bits>(fields.data() + i, groups, out.data() + i / 8 * Bits);
  });
  i += 8 * groups;
  BitWriter rest(out.subspan(i / 8 * bits));
  for (; i < fields.size(); ++i)
    rest.write(fields[i], bits);
  rest.finish();
}

void unpack_fields(ByteView packed, unsigned bits, std::span<std::uint16_t> fields) {
  expects(bits >= 1 && bits <= 16 && packed.size() == bytes_for_bits(fields.size() * bits),
          "unpack_fields() reads all of packed");
  std::size_t i = unpack_prefix(packed, bits, fields) / 8 * 8;
  const std::size_t groups = (fields.size() - i) / 8;
  with_width(bits, [&]<unsigned Bits>() {
    unpack_eights<Bits>(packed.subspan(i / 8 * Bits), groups, fields.data() + i);
  });
  i += 8 * groups;
  BitReader rest(packed.subspan(i / 8 * bits));
  for (; i < fields.size(); ++i)
    fields[i] = static_cast<std::uint16_t>(rest.read(bits));
}

void pack_signs(CVec x, std::span<std::uint8_t> out) {
  const auto size = static_cast<std::size_t>(x.size());
  expects(out.size() == bytes_for_bits(size), "pack_signs() fills out");
  std::size_t i = HWY_DYNAMIC_DISPATCH(PackSigns)(x.data(), size, out.data());
  BitWriter rest(out.subspan(i / 8));
  for (; i < size; ++i)
    rest.write(x[static_cast<Eigen::Index>(i)] < 0.0f ? 1 : 0, 1);
  rest.finish();
}

void add_signs(ByteView packed, float magnitude, Vec y) {
  const auto size = static_cast<std::size_t>(y.size());
  expects(packed.size() == bytes_for_bits(size), "add_signs() reads all of packed");
  std::size_t i = HWY_DYNAMIC_DISPATCH(AddSigns)(packed.data(), magnitude, y.data(), size);
  for (; i < size; ++i) {
    const bool negative = (packed[i / 8] >> (i % 8) & 1) != 0;
    y[static_cast<Eigen::Index>(i)] += negative ? -magnitude : magnitude;
  }
}

}  // namespace gossamer

#endif  // HWY_ONCE
