#include "gossamer/base/bits.hpp"

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/rng.hpp"

namespace gossamer {
namespace {

using ::testing::ElementsAre;

struct Field {
  std::uint64_t value;
  unsigned width;
};

std::size_t total_bits(const std::vector<Field>& fields) {
  std::size_t bits = 0;
  for (const Field& field : fields)
    bits += field.width;
  return bits;
}

std::vector<std::uint8_t> written(const std::vector<Field>& fields) {
  std::vector<std::uint8_t> bytes(bytes_for_bits(total_bits(fields)));
  BitWriter writer(bytes);
  for (const Field& field : fields)
    writer.write(field.value, field.width);
  writer.finish();
  return bytes;
}

// Bit i of the stream is bit i % 8 of byte i / 8: the slow twin of BitWriter.
std::vector<std::uint8_t> written_bit_by_bit(const std::vector<Field>& fields) {
  std::vector<std::uint8_t> bytes(bytes_for_bits(total_bits(fields)));
  std::size_t position = 0;
  for (const Field& field : fields) {
    for (unsigned bit = 0; bit < field.width; ++bit, ++position) {
      if ((field.value >> bit) & 1) {
        bytes[position / 8] = static_cast<std::uint8_t>(bytes[position / 8] | 1u << position % 8);
      }
    }
  }
  return bytes;
}

std::vector<Field> random_fields(std::uint64_t seed, std::size_t count) {
  Rng rng(RngKey{.seed = seed});
  std::vector<Field> fields;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned width = rng.below(58);
    fields.push_back({rng.next_u64() & ((std::uint64_t{1} << width) - 1), width});
  }
  return fields;
}

TEST(BytesForBits, RoundsUp) {
  EXPECT_EQ(bytes_for_bits(0), 0u);
  EXPECT_EQ(bytes_for_bits(1), 1u);
  EXPECT_EQ(bytes_for_bits(8), 1u);
  EXPECT_EQ(bytes_for_bits(9), 2u);
}

TEST(BitWriter, FillsTheLeastSignificantBitFirstAndPadsWithZeros) {
  EXPECT_THAT(written({{1, 1}, {0, 1}, {0b11, 2}}), ElementsAre(0b1101));
  EXPECT_THAT(written({{0xabc, 12}}), ElementsAre(0xbc, 0x0a));
}

TEST(BitWriter, EqualsItsTwinThatSetsOneBitAtATime) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const std::size_t count : {0u, 1u, 2u, 15u, 16u, 17u, 1023u}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", " << count << " fields");
      const std::vector<Field> fields = random_fields(seed, count);
      EXPECT_EQ(written(fields), written_bit_by_bit(fields));
    }
  }
}

TEST(BitReader, ReadsWhatBitWriterWrote) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const std::vector<Field> fields = random_fields(seed, 200);
    const std::vector<std::uint8_t> bytes = written(fields);
    BitReader reader(bytes);
    for (const Field& field : fields)
      EXPECT_EQ(reader.read(field.width), field.value);
    EXPECT_NO_THROW(reader.expect_padding());
  }
}

TEST(BitReader, ReadsTheWidestFieldAtEveryOffset) {
  const std::uint64_t widest = (std::uint64_t{1} << 57) - 1;
  for (unsigned offset = 0; offset < 8; ++offset) {
    const std::vector<std::uint8_t> bytes = written({{0, offset}, {widest, 57}, {0, 1}});
    BitReader reader(bytes);
    EXPECT_EQ(reader.read(offset), 0u);
    EXPECT_EQ(reader.read(57), widest);
    EXPECT_EQ(reader.read(1), 0u);
  }
}

TEST(BitWriter, RefusesAValueThatDoesNotFitItsField) {
  std::vector<std::uint8_t> bytes(8);
  BitWriter writer(bytes);
  EXPECT_THROW(writer.write(4, 2), ContractViolation);
  EXPECT_THROW(writer.write(1, 0), ContractViolation);
  EXPECT_THROW(writer.write(0, 58), ContractViolation);
}

TEST(BitWriter, RefusesABufferThatIsTooSmallOrTooLarge) {
  std::vector<std::uint8_t> one(1);
  BitWriter overfull(one);
  EXPECT_THROW(overfull.write(0xffff, 16), ContractViolation);
  // The ninth bit goes unnoticed until it is padded to a byte.
  std::vector<std::uint8_t> also_one(1);
  BitWriter late(also_one);
  late.write(0xff, 8);
  late.write(1, 1);
  EXPECT_THROW(late.finish(), ContractViolation);
  std::vector<std::uint8_t> two(2);
  BitWriter underfull(two);
  underfull.write(0xff, 8);
  EXPECT_THROW(underfull.finish(), ContractViolation);
}

TEST(BitReader, RefusesToReadPastTheEnd) {
  const std::vector<std::uint8_t> bytes = {0xff, 0xff};
  BitReader reader(bytes);
  EXPECT_EQ(reader.read(10), 0x3ffu);
  EXPECT_THROW((void)reader.read(7), CorruptMessage);
  BitReader empty(ByteView{});
  EXPECT_EQ(empty.read(0), 0u);
  EXPECT_THROW((void)empty.read(1), CorruptMessage);
  EXPECT_THROW((void)empty.read(58), ContractViolation);
}

TEST(BitReader, RefusesPaddingThatIsNotZero) {
  const std::vector<std::uint8_t> bytes = {0b0100'0001};
  BitReader reader(bytes);
  (void)reader.read(1);
  EXPECT_THROW(reader.expect_padding(), CorruptMessage);
}

TEST(BitReader, RefusesAWholeByteOfPadding) {
  const std::vector<std::uint8_t> bytes = {0x01, 0x00};
  BitReader reader(bytes);
  (void)reader.read(8);
  EXPECT_THROW(reader.expect_padding(), CorruptMessage);
  (void)reader.read(1);
  EXPECT_NO_THROW(reader.expect_padding());
}

TEST(ZeroPadding, IsRefusedBitByBit) {
  for (std::size_t used = 1; used <= 8; ++used) {
    for (std::size_t bit = 0; bit < 8; ++bit) {
      const std::vector<std::uint8_t> bytes = {0xff, static_cast<std::uint8_t>(1u << bit)};
      if (bit < used) {
        EXPECT_NO_THROW(expect_zero_padding(bytes, 8 + used));
      } else {
        EXPECT_THROW(expect_zero_padding(bytes, 8 + used), CorruptMessage);
      }
    }
  }
  EXPECT_NO_THROW(expect_zero_padding({}, 0));
}

TEST(ZeroPadding, OfAnotherSizeIsTheCallersMistake) {
  const std::vector<std::uint8_t> bytes = {0, 0};
  EXPECT_THROW(expect_zero_padding(bytes, 8), ContractViolation);
  EXPECT_THROW(expect_zero_padding(bytes, 17), ContractViolation);
}

}  // namespace
}  // namespace gossamer
