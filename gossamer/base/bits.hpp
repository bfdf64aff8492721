#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/base/bytes.hpp"

namespace gossamer {

/// Bytes that `bits` bits fill, the last one padded with zeros.
[[nodiscard]] constexpr std::size_t bytes_for_bits(std::size_t bits) {
  return (bits + 7) / 8;
}

/// Writes bit fields of up to 57 bits into a buffer, least significant bit first.
/// finish() must be called once; it pads the last byte with zeros.
class BitWriter {
 public:
  explicit BitWriter(std::span<std::uint8_t> out) : out_(out) {}

  void write(std::uint64_t value, unsigned width);
  void finish();

 private:
  std::span<std::uint8_t> out_;
  std::size_t used_ = 0;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
};

/// Reads what BitWriter wrote. Reading past the end throws CorruptMessage.
class BitReader {
 public:
  explicit BitReader(ByteView bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t read(unsigned width);

  /// Throws CorruptMessage unless fewer than 8 bits are left and all of them are zero.
  void expect_padding() const;

 private:
  ByteView bytes_;
  std::size_t used_ = 0;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
};

/// Throws CorruptMessage unless every bit of `bytes` from `bit_count` on is zero: one message, one
/// encoding.
void expect_zero_padding(ByteView bytes, std::size_t bit_count);

}  // namespace gossamer
