#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/bytes.hpp"
#include "gossamer/math/kernels/random_words.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

// Dense operators work tile by tile: all that happens to a tile happens in the first-level cache. A
// tile's packed fields end on a byte whatever their width, and its random numbers begin a tile of
// math/random_words.hpp.

inline constexpr std::size_t kTile = 1024;

/// Calls work(begin, count) for consecutive ranges of at most kTile elements.
template <typename Work>
void for_each_tile(std::size_t size, const Work& work) {
  for (std::size_t begin = 0; begin < size; begin += kTile)
    work(begin, std::min(kTile, size - begin));
}

inline CVec part(CVec x, std::size_t begin, std::size_t count) {
  return CVec(x.data() + begin, static_cast<Eigen::Index>(count));
}

inline Vec part(Vec x, std::size_t begin, std::size_t count) {
  return Vec(x.data() + begin, static_cast<Eigen::Index>(count));
}

/// The bytes of a tile's packed fields among those of the whole vector.
template <typename Byte>
std::span<Byte> packed_tile(std::span<Byte> packed, std::size_t begin, std::size_t count,
                            unsigned bits) {
  return packed.subspan(begin * bits / 8, bytes_for_bits(count * bits));
}

/// A die of 16 random bits for each element of a tile. Two neighbours share two random bytes, each
/// with the other's byte below its own: either die is uniform over 2^16, so roundings are unbiased
/// and have their full variance, at half the cost. Only whether both of them go up is correlated,
/// by less than 1/256, which no bound on an operator's error looks at.
class TileDice {
 public:
  explicit TileDice(std::uint64_t stream) : stream_(stream) {}

  [[nodiscard]] std::span<const std::uint16_t> roll(std::size_t begin, std::size_t count) {
    const std::size_t pairs = (count + 1) / 2;
    fill_random_words(stream_, begin / 4, std::span(words_).first((pairs + 1) / 2));
    std::array<std::uint16_t, kTile / 2> bytes;
    std::memcpy(bytes.data(), words_.data(), pairs * sizeof(std::uint16_t));
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const unsigned two = bytes[pair];
      dice_[2 * pair] = static_cast<std::uint16_t>(two);
      dice_[2 * pair + 1] = static_cast<std::uint16_t>(two << 8 | two >> 8);
    }
    return std::span<const std::uint16_t>(dice_).first(count);
  }

 private:
  std::uint64_t stream_;
  alignas(64) std::array<std::uint32_t, kTile / 4> words_;
  alignas(64) std::array<std::uint16_t, kTile> dice_;
};

/// Floats of a message, read where they lie, or where they do not lie on a float's boundary, as
/// behind an odd block of a layerwise message, from a copy.
class TileFloats {
 public:
  [[nodiscard]] CVec read(ByteView floats, std::size_t begin, std::size_t count) {
    const std::uint8_t* const bytes = floats.data() + begin * sizeof(float);
    const bool aligned = reinterpret_cast<std::uintptr_t>(bytes) % alignof(float) == 0;
    if (!aligned) std::memcpy(values_.data(), bytes, count * sizeof(float));
    return CVec(aligned ? reinterpret_cast<const float*>(bytes) : values_.data(),
                static_cast<Eigen::Index>(count));
  }

 private:
  alignas(64) std::array<float, kTile> values_;
};

}  // namespace gossamer
