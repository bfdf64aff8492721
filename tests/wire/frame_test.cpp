#include "gossamer/wire/frame.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>
#include <xxhash.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/rng.hpp"

namespace gossamer {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Bytes = std::vector<std::uint8_t>;

constexpr FrameLimits kLimits{.max_payload = 1 << 20};

Bytes random_payload(std::size_t size) {
  Rng rng(RngKey{.seed = size});
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes)
    byte = static_cast<std::uint8_t>(rng.next_u32());
  return bytes;
}

FrameHeader header_for(ByteView payload) {
  return {.kind = FrameKind::kMessage,
          .sender = 0xA1B2C3D4,
          .setup = 0xC0FFEE,
          .round = 0x1122334455667788,
          .sequence = 0x99AABBCCDDEEFF00,
          .payload = seal_payload(payload)};
}

Bytes frame_of(const FrameHeader& header, ByteView payload) {
  const HeaderBytes head = encode_header(header);
  Bytes frame(head.size() + payload.size());
  const auto behind_header = std::ranges::copy(head, frame.begin()).out;
  std::ranges::copy(payload, behind_header);
  return frame;
}

Bytes frame_with(std::size_t payload_size) {
  const Bytes payload = random_payload(payload_size);
  return frame_of(header_for(payload), payload);
}

// `frame` with a number overwritten and the header's hash made to match again, as a peer would
// write it that is hostile or runs other code.
template <typename T>
Bytes forged(Bytes frame, std::size_t offset, T number) {
  std::memcpy(frame.data() + offset, &number, sizeof(T));
  const std::uint64_t hash = XXH3_64bits(frame.data(), 48);
  std::memcpy(frame.data() + 48, &hash, sizeof(hash));
  return frame;
}

// Takes `bytes` for one whole frame, as a receiver does: the header first, then the payload.
Result<FrameHeader> parse_whole(ByteView bytes, const FrameLimits& limits = kLimits) {
  Result<FrameHeader> header = parse_header(bytes, limits);
  if (!header) return header;
  const Result<void> checked = check_payload(header.value(), bytes.subspan(kFrameHeaderSize));
  if (!checked) return checked.error();
  return header;
}

// Why a receiver refuses, or nothing if it does not.
std::string refusal(ByteView bytes, const FrameLimits& limits = kLimits) {
  const Result<FrameHeader> header = parse_whole(bytes, limits);
  return header.ok() ? "" : header.error().message;
}

TEST(Frame, ComesBackAsItWasSent) {
  for (const std::size_t size : {0u, 1u, 2u, 15u, 16u, 17u, 240u, 241u, 1023u, 4097u}) {
    SCOPED_TRACE(size);
    const Bytes payload = random_payload(size);
    const FrameHeader header = header_for(payload);
    const Result<FrameHeader> parsed = parse_whole(frame_of(header, payload));
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(parsed.value(), header);
  }
}

TEST(Frame, OfEveryKindComesBack) {
  for (const FrameKind kind : {FrameKind::kMessage, FrameKind::kHello, FrameKind::kGoodbye,
                               FrameKind::kAside, FrameKind::kReceipt, FrameKind::kHeartbeat}) {
    FrameHeader header = header_for({});
    header.kind = kind;
    const Result<FrameHeader> parsed = parse_whole(encode_header(header));
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(parsed.value().kind, kind);
  }
}

TEST(Frame, TakesExtremeNumbers) {
  FrameHeader header = header_for({});
  header.sender = std::numeric_limits<NodeId>::max();
  header.round = std::numeric_limits<Round>::max();
  header.sequence = std::numeric_limits<std::uint64_t>::max();
  const Result<FrameHeader> parsed = parse_whole(encode_header(header));
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(parsed.value(), header);
}

// The grammar of docs/wire_format.md, written out by hand.
TEST(Frame, HasTheBytesOfTheGrammar) {
  const Bytes payload = {0xde, 0xad};
  ByteWriter expected;
  expected.write_bytes(Bytes{0x89, 'G', 'S', 'M'});
  expected.write(std::uint16_t{2});
  expected.write(std::uint8_t{1});
  expected.write(std::uint8_t{0});
  expected.write(std::uint32_t{0xA1B2C3D4});
  expected.write(std::uint32_t{0xC0FFEE});
  expected.write(std::uint64_t{0x1122334455667788});
  expected.write(std::uint64_t{0x99AABBCCDDEEFF00});
  expected.write(std::uint64_t{2});
  expected.write(std::uint64_t{XXH3_64bits(payload.data(), payload.size())});
  expected.write(std::uint64_t{XXH3_64bits(expected.bytes().data(), 48)});
  expected.write_bytes(payload);
  EXPECT_EQ(frame_of(header_for(payload), payload),
            Bytes(expected.bytes().begin(), expected.bytes().end()));
}

TEST(Frame, ForAnotherLinkNeedsNoNewSeal) {
  const Bytes payload = random_payload(100);
  FrameHeader header = header_for(payload);
  for (const std::uint64_t sequence : {0u, 7u, 3u}) {
    header.sequence = sequence;
    const Result<FrameHeader> parsed = parse_whole(frame_of(header, payload));
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(parsed.value().sequence, sequence);
  }
}

TEST(Frame, RefusesEveryTruncation) {
  for (const std::size_t size : {0u, 1u, 17u, 300u}) {
    const Bytes frame = frame_with(size);
    ASSERT_EQ(refusal(frame), "");
    for (std::size_t length = 0; length < frame.size(); ++length) {
      // A copy of that length: a read past its end is one past the end of the memory.
      const Bytes cut(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_NE(refusal(cut), "") << length << " of " << frame.size() << " bytes";
    }
  }
}

TEST(Frame, RefusesEveryFlippedBit) {
  for (const std::size_t size : {0u, 1u, 17u, 300u}) {
    Bytes frame = frame_with(size);
    for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
      const auto mask = static_cast<std::uint8_t>(1u << bit % 8);
      frame[bit / 8] ^= mask;
      EXPECT_NE(refusal(frame), "") << "bit " << bit;
      frame[bit / 8] ^= mask;
    }
    EXPECT_EQ(refusal(frame), "");
  }
}

TEST(Frame, RefusesBytesBehindItsEnd) {
  Bytes frame = frame_with(10);
  frame.push_back(0);
  EXPECT_EQ(refusal(frame), "node 2712847316 announced a payload of 10 bytes, and 11 came");
}

TEST(Frame, RefusesThePayloadOfAnother) {
  Bytes frame = frame_with(10);
  frame[kFrameHeaderSize] ^= 1;
  EXPECT_EQ(refusal(frame),
            "the payload from node 2712847316 in round 1234605616436508552 was damaged on its way: "
            "its hash does not match");
}

TEST(Frame, RefusesRandomBytes) {
  for (std::size_t size = 0; size < 300; ++size)
    EXPECT_NE(refusal(random_payload(size)), "");
}

TEST(Frame, RefusesWhatIsTooShortForAHeader) {
  EXPECT_EQ(refusal({}), "a frame starts with a header of 56 bytes, and only 0 are there");
  EXPECT_EQ(refusal(Bytes(55)), "a frame starts with a header of 56 bytes, and only 55 are there");
}

TEST(Frame, RefusesAnotherMagic) {
  EXPECT_THAT(refusal(forged(frame_with(3), 0, 'X')), HasSubstr("not a Gossamer frame"));
  const std::string request =
      "GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: something\r\n\r\n";
  EXPECT_THAT(refusal(Bytes(request.begin(), request.end())), HasSubstr("not a Gossamer frame"));
}

TEST(Frame, RefusesAnotherVersionNamingBoth) {
  for (const std::uint16_t version : std::initializer_list<std::uint16_t>{0, 1, 0x100, 0xffff}) {
    EXPECT_EQ(refusal(forged(frame_with(3), 4, version)),
              fmt::format("the frame has version {}, this program speaks version 2", version));
  }
}

// Even if the rest makes no sense by this version's rules.
TEST(Frame, NamesAnotherVersionBeforeItLooksAtTheRest) {
  Bytes frame = frame_with(3);
  frame[4] = 1;
  frame[30] ^= 1;
  EXPECT_THAT(refusal(frame), HasSubstr("has version 1"));
}

TEST(Frame, RefusesAHeaderThatWasDamaged) {
  Bytes frame = frame_with(3);
  frame[20] ^= 1;
  EXPECT_EQ(refusal(frame), "the frame's header was damaged on its way: its hash does not match");
}

TEST(Frame, RefusesEveryUnknownKind) {
  for (unsigned kind = 0; kind < 256; ++kind) {
    const Bytes frame = forged(frame_with(3), 6, static_cast<std::uint8_t>(kind));
    const bool known = kind >= 1 && kind <= 6;
    EXPECT_EQ(refusal(frame),
              known ? "" : fmt::format("the frame is of an unknown kind, {}", kind));
  }
}

TEST(Frame, RefusesAReservedByteThatIsNotZero) {
  for (int bit = 0; bit < 8; ++bit) {
    const Bytes frame = forged(frame_with(3), 7, static_cast<std::uint8_t>(1u << bit));
    EXPECT_EQ(refusal(frame), fmt::format("the frame's reserved byte is {}, not 0", 1u << bit));
  }
}

TEST(Frame, RefusesAPayloadAboveTheLimitAndTakesOneAtIt) {
  const Bytes frame = frame_with(100);
  EXPECT_EQ(refusal(frame, {.max_payload = 100}), "");
  EXPECT_EQ(refusal(frame, {.max_payload = 99}),
            "node 2712847316 announces a payload of 100 bytes, the limit is 99");
}

// The hash is right: whoever lies about a length can compute it.
TEST(Frame, RefusesLengthsThatLie) {
  const Bytes frame = frame_with(100);
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  constexpr FrameLimits kBoundless{.max_payload = kMost};
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{99}, std::uint64_t{101},
                                     std::uint64_t{1} << 60, kMost - 55, kMost}) {
    SCOPED_TRACE(length);
    const Bytes lying = forged(frame, 32, length);
    EXPECT_NE(refusal(lying), "");
    EXPECT_THAT(refusal(lying, kBoundless),
                AllOf(HasSubstr(fmt::format("announced a payload of {} bytes", length)),
                      HasSubstr("and 100 came")));
  }
}

TEST(FrameHeader, IsRefusedForAHugeLengthBeforeItsPayloadIsThere) {
  const Bytes lying = forged(frame_with(0), 32, std::uint64_t{1} << 60);
  const Result<FrameHeader> header = parse_header(lying, kLimits);
  ASSERT_FALSE(header.ok());
  EXPECT_EQ(
      header.error().message,
      "node 2712847316 announces a payload of 1152921504606846976 bytes, the limit is 1048576");
}

TEST(FrameHeader, IsReadFromTheStartOfALongerStream) {
  const Bytes payload = random_payload(100);
  const Bytes frame = frame_of(header_for(payload), payload);
  for (const std::size_t length : {56u, 57u, 156u}) {
    const Result<FrameHeader> header = parse_header(ByteView(frame).first(length), kLimits);
    ASSERT_TRUE(header.ok()) << header.error().message;
    EXPECT_EQ(header.value(), header_for(payload));
    EXPECT_TRUE(check_payload(header.value(), payload).ok());
  }
}

TEST(PayloadSeal, DependsOnEveryByteAndOnTheLength) {
  EXPECT_EQ(seal_payload(random_payload(50)), seal_payload(random_payload(50)));
  EXPECT_NE(seal_payload(Bytes{0}), seal_payload(Bytes{0, 0}));
  EXPECT_NE(seal_payload(Bytes{0}), seal_payload(Bytes{1}));
  EXPECT_EQ(seal_payload({}).size, 0u);
}

}  // namespace
}  // namespace gossamer
