#include "gossamer/base/bits.hpp"

namespace gossamer {
namespace {

// One write adds up to 57 bits to at most 7 that are pending: 64 in all.
constexpr unsigned kWidest = 57;

constexpr std::uint64_t low_bits(unsigned width) {
  return (std::uint64_t{1} << width) - 1;
}

}  // namespace

void BitWriter::write(std::uint64_t value, unsigned width) {
  expects(width <= kWidest && value <= low_bits(width), "a bit field holds its value");
  pending_ |= value << pending_bits_;
  pending_bits_ += width;
  while (pending_bits_ >= 8) {
    expects(used_ < out_.size(), "BitWriter has room");
    out_[used_++] = static_cast<std::uint8_t>(pending_);
    pending_ >>= 8;
    pending_bits_ -= 8;
  }
}

void BitWriter::finish() {
  if (pending_bits_ > 0) write(0, 8 - pending_bits_);
  expects(used_ == out_.size(), "BitWriter filled its buffer");
}

std::uint64_t BitReader::read(unsigned width) {
  expects(width <= kWidest, "a bit field has at most 57 bits");
  while (pending_bits_ < width) {
    if (used_ == bytes_.size()) throw CorruptMessage("the message ends inside a bit field");
    pending_ |= std::uint64_t{bytes_[used_++]} << pending_bits_;
    pending_bits_ += 8;
  }
  const std::uint64_t value = pending_ & low_bits(width);
  pending_ >>= width;
  pending_bits_ -= width;
  return value;
}

void BitReader::expect_padding() const {
  if (used_ != bytes_.size() || pending_ != 0) {
    throw CorruptMessage("the bits after the last field are not zero padding");
  }
}

void expect_zero_padding(ByteView bytes, std::size_t bit_count) {
  expects(bytes.size() == bytes_for_bits(bit_count), "padding is less than a byte");
  const unsigned used = bit_count % 8;
  if (used != 0 && (bytes.back() >> used) != 0) {
    throw CorruptMessage("the bits after the last field are not zero padding");
  }
}

}  // namespace gossamer
