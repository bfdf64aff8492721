#pragma once

#include <cstdint>
#include <span>

#include "gossamer/base/bytes.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

// Fields of `bits` bits (1 to 16) lie one after the other, least significant bit first: field i
// occupies bits i * bits ... (i + 1) * bits - 1 of the byte string, whose last byte is padded with
// zeros.

/// out has exactly bytes_for_bits(fields.size() * bits) bytes; every field fits its bits.
void pack_fields(std::span<const std::uint16_t> fields, unsigned bits, std::span<std::uint8_t> out);
void unpack_fields(ByteView packed, unsigned bits, std::span<std::uint16_t> fields);

/// One bit per element, set where x < 0: zero of either sign counts as positive. out has
/// bytes_for_bits(d) bytes.
void pack_signs(CVec x, std::span<std::uint8_t> out);

/// y += magnitude, or y -= magnitude where the bit is set.
void add_signs(ByteView packed, float magnitude, Vec y);

}  // namespace gossamer
