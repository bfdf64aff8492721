#include "gossamer/base/bytes.hpp"

#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

std::vector<std::uint8_t> counting(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

TEST(ByteWriter, StartsEmpty) {
  const ByteWriter writer;
  EXPECT_EQ(writer.size(), 0u);
  EXPECT_TRUE(writer.bytes().empty());
  EXPECT_TRUE(writer.head_room().empty());
}

TEST(ByteWriter, WritesNumbersLeastSignificantByteFirst) {
  ByteWriter writer;
  writer.write(std::uint8_t{0x01});
  writer.write(std::uint16_t{0x0302});
  writer.write(std::uint32_t{0x07060504});
  writer.write(std::int16_t{-2});
  writer.write(1.0f);
  EXPECT_THAT(writer.bytes(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 0xfe, 0xff, 0, 0, 0x80, 0x3f));
}

TEST(ByteWriter, KeepsWhatWasWrittenAndTheHeadRoomWhenItGrows) {
  for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 1023u, 4097u}) {
    ByteWriter writer(64);
    std::iota(writer.head_room().begin(), writer.head_room().end(), std::uint8_t{100});
    const std::vector<std::uint8_t> bytes = counting(size);
    for (const std::uint8_t byte : bytes)
      writer.write(byte);
    EXPECT_THAT(writer.bytes(), ElementsAreArray(bytes));
    EXPECT_EQ(writer.head_room().front(), 100);
    EXPECT_EQ(writer.head_room().back(), 163);
  }
}

TEST(ByteWriter, PutsTheFirstByteRightBehindTheHeadRoom) {
  ByteWriter writer(64);
  writer.write(std::uint8_t{7});
  EXPECT_EQ(writer.bytes().data(), writer.head_room().data() + 64);
}

TEST(ByteWriter, StartsOnACacheLineAlsoAfterGrowth) {
  ByteWriter writer(64);
  for (const std::size_t size : {1u, 100u, 10000u}) {
    (void)writer.extend(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(writer.bytes().data()) % 64, 0u);
  }
}

TEST(ByteWriter, ExtendGivesTheNewBytesOnly) {
  ByteWriter writer;
  writer.write(std::uint8_t{1});
  const std::span<std::uint8_t> room = writer.extend(2);
  ASSERT_EQ(room.size(), 2u);
  room[0] = 2;
  room[1] = 3;
  EXPECT_THAT(writer.bytes(), ElementsAre(1, 2, 3));
}

TEST(ByteWriter, WritesBytesAndNoBytes) {
  ByteWriter writer;
  writer.write_bytes({});
  writer.write_bytes(counting(3));
  writer.write_bytes({});
  EXPECT_THAT(writer.bytes(), ElementsAre(1, 2, 3));
}

TEST(ByteWriter, PatchesANumberInPlace) {
  ByteWriter writer;
  writer.write_bytes(counting(6));
  writer.patch(2, std::uint32_t{0});
  EXPECT_THAT(writer.bytes(), ElementsAre(1, 2, 0, 0, 0, 0));
}

TEST(ByteWriter, RefusesToPatchBeyondItsEnd) {
  ByteWriter writer;
  writer.write_bytes(counting(6));
  EXPECT_THROW(writer.patch(3, std::uint32_t{0}), ContractViolation);
  EXPECT_THROW(writer.patch(7, std::uint8_t{0}), ContractViolation);
  EXPECT_THROW(writer.patch(kHuge - 1, std::uint32_t{0}), ContractViolation);
}

TEST(ByteWriter, RefusesSizesThatWrapRound) {
  ByteWriter writer(64);
  writer.write(std::uint8_t{7});
  EXPECT_THROW((void)writer.extend(kHuge), ContractViolation);
  EXPECT_THROW((void)writer.extend(kHuge - 64), ContractViolation);
  EXPECT_THROW(writer.reserve(kHuge - 32), ContractViolation);
  EXPECT_THAT(writer.bytes(), ElementsAre(7));
}

TEST(ByteWriter, TruncatesButNeverGrowsThatWay) {
  ByteWriter writer;
  writer.write_bytes(counting(5));
  writer.truncate(2);
  EXPECT_THAT(writer.bytes(), ElementsAre(1, 2));
  EXPECT_THROW(writer.truncate(3), ContractViolation);
}

TEST(ByteWriter, KeepsItsMemoryWhenCleared) {
  ByteWriter writer;
  (void)writer.extend(5000);
  const std::uint8_t* const memory = writer.bytes().data();
  writer.clear();
  EXPECT_EQ(writer.size(), 0u);
  (void)writer.extend(5000);
  EXPECT_EQ(writer.bytes().data(), memory);
}

TEST(ByteWriter, DoesNotMoveWithinWhatIsReserved) {
  ByteWriter writer;
  writer.reserve(5000);
  const std::uint8_t* const memory = writer.bytes().data();
  for (int i = 0; i < 5000; ++i)
    writer.write(std::uint8_t{1});
  EXPECT_EQ(writer.bytes().data(), memory);
}

TEST(ByteWriter, HandsItsBytesOverWhenMoved) {
  ByteWriter first(64);
  first.write_bytes(counting(3));
  const std::uint8_t* const memory = first.bytes().data();
  ByteWriter second(std::move(first));
  EXPECT_EQ(second.bytes().data(), memory);
  ByteWriter third;
  third = std::move(second);
  EXPECT_EQ(third.bytes().data(), memory);
  EXPECT_EQ(third.head_room().size(), 64u);
  EXPECT_THAT(third.bytes(), ElementsAre(1, 2, 3));
}

TEST(ByteWriter, IsEmptyButUsableAfterItsBytesWereMovedAway) {
  ByteWriter writer(64);
  writer.write_bytes(counting(3));
  const ByteWriter taken(std::move(writer));
  // NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move): what is left is the claim.
  EXPECT_EQ(writer.size(), 0u);
  writer.write_bytes(counting(2));
  EXPECT_THAT(writer.bytes(), ElementsAre(1, 2));
  // NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
}

TEST(ByteReader, ReadsWhatAWriterWrote) {
  ByteWriter writer;
  writer.write(std::uint8_t{200});
  writer.write(std::int32_t{-5});
  writer.write(std::uint64_t{0x0123456789abcdef});
  writer.write(-0.25);
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.read<std::uint8_t>(), 200);
  EXPECT_EQ(reader.read<std::int32_t>(), -5);
  EXPECT_EQ(reader.read<std::uint64_t>(), 0x0123456789abcdefu);
  EXPECT_EQ(reader.read<double>(), -0.25);
  EXPECT_NO_THROW(reader.expect_end());
}

TEST(ByteReader, BorrowsBytesWithoutCopying) {
  const std::vector<std::uint8_t> bytes = counting(5);
  ByteReader reader(bytes);
  (void)reader.read<std::uint8_t>();
  const ByteView view = reader.read_bytes(3);
  EXPECT_EQ(view.data(), bytes.data() + 1);
  EXPECT_EQ(view.size(), 3u);
  EXPECT_EQ(reader.remaining(), 1u);
}

TEST(ByteReader, RefusesToReadPastTheEndAndStaysWhereItWas) {
  const std::vector<std::uint8_t> bytes = counting(3);
  ByteReader reader(bytes);
  EXPECT_THROW((void)reader.read<std::uint32_t>(), CorruptMessage);
  EXPECT_THROW((void)reader.read_bytes(4), CorruptMessage);
  EXPECT_THROW((void)reader.read_bytes(kHuge), CorruptMessage);
  EXPECT_EQ(reader.remaining(), 3u);
  EXPECT_THAT(reader.read_bytes(3), ElementsAre(1, 2, 3));
  EXPECT_TRUE(reader.read_bytes(0).empty());
  EXPECT_THROW((void)reader.read<std::uint8_t>(), CorruptMessage);
}

TEST(ByteReader, RefusesBytesBehindTheEnd) {
  const std::vector<std::uint8_t> bytes = counting(1);
  ByteReader reader(bytes);
  EXPECT_THROW(reader.expect_end(), CorruptMessage);
  (void)reader.read<std::uint8_t>();
  EXPECT_NO_THROW(reader.expect_end());
}

TEST(ByteReader, OfNothingHasNothing) {
  ByteReader reader(ByteView{});
  EXPECT_NO_THROW(reader.expect_end());
  EXPECT_THROW((void)reader.read<std::uint8_t>(), CorruptMessage);
}

TEST(WireNumber, IsANumberWhoseEveryBitPatternIsAValue) {
  static_assert(kIsWireNumber<std::uint8_t> && kIsWireNumber<std::int64_t>);
  static_assert(kIsWireNumber<float> && kIsWireNumber<double>);
  static_assert(!kIsWireNumber<bool> && !kIsWireNumber<long double> && !kIsWireNumber<void*>);
}

}  // namespace
}  // namespace gossamer
