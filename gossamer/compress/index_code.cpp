#include "gossamer/compress/index_code.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/contract.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/compress/tiles.hpp"
#include "gossamer/math/kernels/bitpack.hpp"

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

// The low bits of indices, at most 31 each. Up to 16 they go through the fast packing of fields,
// tile by tile; more are rare (one entry of 65,000) and go one by one.

void write_low(std::span<const std::uint32_t> indices, unsigned bits, std::span<std::uint8_t> out) {
  const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
  if (bits > 16) {
    BitWriter writer(out);
    for (const std::uint32_t index : indices)
      writer.write(index & mask, bits);
    return writer.finish();
  }
  for_each_tile(indices.size(), [&](std::size_t begin, std::size_t count) {
    std::array<std::uint16_t, kTile> fields;
    std::ranges::transform(indices.subspan(begin, count), fields.begin(), [&](std::uint32_t index) {
      return static_cast<std::uint16_t>(index & mask);
    });
    pack_fields(std::span(fields).first(count), bits, packed_tile(out, begin, count, bits));
  });
}

// Calls visit(i, low bits of index i) for every index, in order.
template <typename Visit>
void read_low(ByteView bytes, std::size_t count, unsigned bits, const Visit& visit) {
  if (bits > 16) {
    BitReader reader(bytes);
    for (std::size_t i = 0; i < count; ++i)
      visit(i, static_cast<std::uint32_t>(reader.read(bits)));
    return;
  }
  for_each_tile(count, [&](std::size_t begin, std::size_t length) {
    std::array<std::uint16_t, kTile> fields;
    unpack_fields(packed_tile(bytes, begin, length, bits), bits, std::span(fields).first(length));
    for (std::size_t i = 0; i < length; ++i)
      visit(begin + i, std::uint32_t{fields[i]});
  });
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
  if (low_bits_ > 0) write_low(indices, low_bits_, out.subspan(high.size()));
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
  const ByteView low = bytes.subspan(high.size());
  expect_zero_padding(low, kept_ * low_bits_);
  std::uint64_t least = 0;
  bool ascending = true;
  const auto join = [&](std::size_t i, std::uint32_t low_part) {
    const std::uint64_t index = (std::uint64_t{indices[i]} - i) << low_bits_ | low_part;
    ascending = ascending && index >= least && index < size_;
    indices[i] = static_cast<std::uint32_t>(index);
    least = index + 1;
  };
  if (low_bits_ > 0) {
    read_low(low, kept_, low_bits_, join);
  } else {
    for (std::size_t i = 0; i < kept_; ++i)
      join(i, 0);
  }
  if (!ascending) throw CorruptMessage("an index list is not ascending, or leaves the vector");
}

}  // namespace gossamer
