#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gossamer/base/bytes.hpp"

namespace gossamer {

/// How k ascending indices below d travel: Elias-Fano, or a bitmap where that is smaller. Both have
/// one size for one (d, k), so a message carries no length. Elias-Fano splits an index into its
/// `low_bits` lowest bits, written as they are, and the rest, written as a unary count of gaps:
/// within 0.6 bits per index of log2 C(d, k) / k.
class IndexCode {
 public:
  IndexCode(std::size_t size, std::size_t kept);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// out has bytes() bytes.
  void write(std::span<const std::uint32_t> indices, std::span<std::uint8_t> out) const;

  /// Throws CorruptMessage unless the bytes are what write() writes for strictly ascending indices
  /// below d.
  void read(ByteView bytes, std::span<std::uint32_t> indices) const;

 private:
  [[nodiscard]] std::size_t high_bit_count() const;

  std::size_t size_;
  std::size_t kept_;
  unsigned low_bits_ = 0;
  bool is_bitmap_ = false;
  std::size_t bytes_ = 0;
};

}  // namespace gossamer
