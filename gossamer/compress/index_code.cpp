#include "gossamer/compress/index_code.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/contract.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {
namespace {

void set_bit(std::span<std::uint8_t> bytes, std::size_t position) {
  bytes[position / 8] = static_cast<std::uint8_t>(bytes[position / 8] | 1u << (position % 8));
}

std::size_t elias_fano_high_bits(std::size_t size, std::size_t kept, unsigned low_bits) {
  return kept + ((size - 1) >> low_bits);
}

std::size_t elias_fano_bytes(std::size_t size, std::size_t kept, unsigned low_bits) {
  return bytes_for_bits(elias_fano_high_bits(size, kept, low_bits)) +
         bytes_for_bits(kept * low_bits);
}

// Calls visit(position) for each set bit, in order; stops where it returns false.
template <typename Visit>
void for_each_set_bit(ByteView bytes, const Visit& visit) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + begin, std::min<std::size_t>(8, bytes.size() - begin));
    for (; word != 0; word &= word - 1) {
      if (!visit(begin * 8 + static_cast<std::size_t>(std::countr_zero(word)))) return;
    }
  }
}

// The positions of exactly positions.size() set bits.
void read_set_bits(ByteView bytes, std::span<std::uint32_t> positions) {
  std::size_t found = 0;
  for_each_set_bit(bytes, [&](std::size_t position) {
    if (found < positions.size()) positions[found] = static_cast<std::uint32_t>(position);
    return ++found <= positions.size();
  });
  if (found != positions.size())
    throw CorruptMessage("an index list does not hold the number of entries it should");
}

}  // namespace

IndexCode::IndexCode(std::size_t size, std::size_t kept) : size_(size), kept_(kept) {
  expects(kept <= size && size < (std::size_t{1} << 32), "k <= d < 2^32 indices");
  // All or none of the entries: there is nothing to tell.
  if (kept == 0 || kept == size) return;
  bytes_ = elias_fano_bytes(size, kept, 0);
  for (unsigned bits = 1; bits < 32; ++bits) {
    const std::size_t bytes = elias_fano_bytes(size, kept, bits);
    if (bytes >= bytes_) continue;
    bytes_ = bytes;
    low_bits_ = bits;
  }
  is_bitmap_ = bytes_for_bits(size) < bytes_;
  if (is_bitmap_) bytes_ = bytes_for_bits(size);
}

std::size_t IndexCode::high_bit_count() const {
  return elias_fano_high_bits(size_, kept_, low_bits_);
}

void IndexCode::write(std::span<const std::uint32_t> indices, std::span<std::uint8_t> out) const {
  expects(indices.size() == kept_ && out.size() == bytes_, "IndexCode::write() of k indices");
  if (bytes_ == 0) return;
  if (is_bitmap_) {
    std::ranges::fill(out, std::uint8_t{0});
    for (const std::uint32_t index : indices)
      set_bit(out, index);
    return;
  }
  const std::span<std::uint8_t> high = out.first(bytes_for_bits(high_bit_count()));
  std::ranges::fill(high, std::uint8_t{0});
  for (std::size_t i = 0; i < kept_; ++i)
    set_bit(high, (indices[i] >> low_bits_) + i);
  BitWriter low(out.subspan(high.size()));
  const std::uint32_t mask = (std::uint32_t{1} << low_bits_) - 1;
  for (const std::uint32_t index : indices)
    low.write(index & mask, low_bits_);
  low.finish();
}

void IndexCode::read(ByteView bytes, std::span<std::uint32_t> indices) const {
  expects(indices.size() == kept_ && bytes.size() == bytes_, "IndexCode::read() of k indices");
  if (bytes_ == 0) {
    for (std::size_t i = 0; i < kept_; ++i)
      indices[i] = static_cast<std::uint32_t>(i);
    return;
  }
  if (is_bitmap_) {
    expect_zero_padding(bytes, size_);
    return read_set_bits(bytes, indices);
  }
  const ByteView high = bytes.first(bytes_for_bits(high_bit_count()));
  expect_zero_padding(high, high_bit_count());
  read_set_bits(high, indices);
  BitReader low(bytes.subspan(high.size()));
  std::uint64_t least = 0;
  for (std::size_t i = 0; i < kept_; ++i) {
    const std::uint64_t index = (std::uint64_t{indices[i]} - i) << low_bits_ | low.read(low_bits_);
    if (index < least || index >= size_)
      throw CorruptMessage("an index list is not ascending, or leaves the vector");
    indices[i] = static_cast<std::uint32_t>(index);
    least = index + 1;
  }
  low.expect_padding();
}

}  // namespace gossamer
