#include "gossamer/math/kernels/bitpack.hpp"

#include "tests/math/kernels.hpp"

#include "gossamer/base/bits.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

std::vector<std::uint16_t> random_fields(std::size_t size, unsigned bits) {
  Rng rng(RngKey{.seed = size + bits});
  std::vector<std::uint16_t> fields(size);
  for (std::uint16_t& field : fields)
    field = static_cast<std::uint16_t>(rng.next_u32() & ((1u << bits) - 1));
  return fields;
}

// The plain twin: bit by bit.
std::vector<std::uint8_t> packed_bit_by_bit(const std::vector<std::uint16_t>& fields,
                                            unsigned bits) {
  std::vector<std::uint8_t> out(bytes_for_bits(fields.size() * bits), 0);
  for (std::size_t position = 0; position < fields.size() * bits; ++position) {
    const bool set = (fields[position / bits] >> position % bits & 1) != 0;
    if (set) out[position / 8] = static_cast<std::uint8_t>(out[position / 8] | 1u << position % 8);
  }
  return out;
}

TEST(PackFields, EqualsItsTwinForEveryWidthAndBack) {
  for (unsigned bits = 1; bits <= 16; ++bits) {
    for (const std::size_t length : kLengths) {
      const std::vector<std::uint16_t> fields = random_fields(length, bits);
      const std::vector<std::uint8_t> expected = packed_bit_by_bit(fields, bits);
      on_every_instruction_set([&] {
        std::vector<std::uint8_t> packed(expected.size(), 0xEE);
        pack_fields(fields, bits, packed);
        ASSERT_EQ(packed, expected) << bits << " bits, " << length << " fields";
        std::vector<std::uint16_t> unpacked(length);
        unpack_fields(packed, bits, unpacked);
        ASSERT_EQ(unpacked, fields);
      });
    }
  }
}

TEST(PackSigns, EqualsItsTwinAndAddsBack) {
  for (const std::size_t length : kLengths) {
    for (const std::size_t offset : kOffsets) {
      std::vector<float> storage = normal_vector(length + offset, length);
      for (std::size_t i = 0; i < storage.size(); i += 5)
        storage[i] = i % 2 == 0 ? 0.0f : -0.0f;
      const CVec x = shifted(storage, offset);
      std::vector<std::uint16_t> negative(length);
      for (std::size_t i = 0; i < length; ++i)
        negative[i] = x.data()[i] < 0.0f ? 1 : 0;
      const std::vector<std::uint8_t> expected = packed_bit_by_bit(negative, 1);
      on_every_instruction_set([&] {
        std::vector<std::uint8_t> packed(expected.size(), 0xEE);
        pack_signs(x, packed);
        ASSERT_EQ(packed, expected);
        std::vector<float> y(length + offset, 0.25f);
        add_signs(packed, 1.5f, Vec(y.data() + offset, static_cast<Eigen::Index>(length)));
        for (std::size_t i = 0; i < length; ++i)
          ASSERT_EQ(y[i + offset], negative[i] != 0 ? -1.25f : 1.75f);
      });
    }
  }
}

}  // namespace
}  // namespace gossamer
