// What a link remembers (network/tls/link.hpp), and the bytes that it is made of: without sockets.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/network/tls_world.hpp"
#include <gtest/gtest.h>

#include "gossamer/network/tls/frame_reader.hpp"
#include "gossamer/network/tls/hello.hpp"
#include "gossamer/network/tls/link.hpp"
#include "gossamer/network/tls/refusals.hpp"
#include "gossamer/network/tls/round_trip.hpp"

namespace gossamer::tls {
namespace {

using gossamer::testing::message_of;

void push(Link& link, std::size_t size = 10) {
  const Message message = message_of(size, 1);
  link.push(FrameKind::kMessage, 0, message, seal_payload(message.payload()));
}

std::uint64_t sequence_of(const OutgoingFrame& frame) {
  return parse_header(frame.header, {.max_payload = 1 << 30}).value().sequence;
}

// The numbers of all frames that a connection would write now.
std::vector<std::uint64_t> write_all(Link& link) {
  std::vector<std::uint64_t> numbers;
  for (; link.unwritten() != nullptr; link.written())
    numbers.push_back(sequence_of(*link.unwritten()));
  return numbers;
}

using Numbers = std::vector<std::uint64_t>;

TEST(TlsLink, NumbersFramesFromZero) {
  Link link(3);
  for (int i = 0; i < 3; ++i)
    push(link);
  EXPECT_EQ(write_all(link), (Numbers{0, 1, 2}));
  EXPECT_EQ(write_all(link), Numbers{}) << "each once";
}

TEST(TlsLink, PutsTheSetUpOfTheRunOnMessagesAlone) {
  Link link(3, 0xC0FFEE);
  for (const FrameKind kind : {FrameKind::kMessage, FrameKind::kAside, FrameKind::kGoodbye}) {
    link.push(kind, 0, {}, seal_payload({}));
    const auto header = parse_header(link.unwritten()->header, {});
    EXPECT_EQ(header.value().setup, kind == FrameKind::kMessage ? 0xC0FFEE : 0u);
    link.written();
  }
}

TEST(TlsLink, SendsAgainWhatThePeerLacks) {
  Link link(0);
  for (int i = 0; i < 5; ++i)
    push(link);
  (void)write_all(link);
  ASSERT_TRUE(link.confirm(1));
  ASSERT_TRUE(link.resume(3));
  EXPECT_EQ(write_all(link), (Numbers{3, 4}));
  push(link);
  EXPECT_EQ(write_all(link), (Numbers{5}));
}

TEST(TlsLink, KeepsEverythingUntilItIsConfirmed) {
  Link link(0);
  push(link, 100);
  push(link, 100'000);
  EXPECT_EQ(link.unconfirmed_bytes(), 100'100 + 2 * kFrameHeaderSize);
  EXPECT_EQ(link.held_bytes(), link.unconfirmed_bytes() + 2 * kFrameCost);
  (void)write_all(link);
  EXPECT_FALSE(link.all_confirmed());
  ASSERT_TRUE(link.confirm(1));
  EXPECT_EQ(link.unconfirmed_bytes(), 100'000 + kFrameHeaderSize);
  ASSERT_TRUE(link.confirm(2));
  EXPECT_TRUE(link.all_confirmed());
  EXPECT_EQ(link.unconfirmed_bytes(), 0u);
}

TEST(TlsLink, RefusesReceiptsForWhatWasNeverSentOrIsLongConfirmed) {
  Link link(0);
  push(link);
  push(link);
  EXPECT_FALSE(link.confirm(1)) << "not written yet";
  (void)write_all(link);
  ASSERT_TRUE(link.confirm(2));
  EXPECT_FALSE(link.confirm(1));
  EXPECT_FALSE(link.confirm(3));
  EXPECT_FALSE(link.resume(std::uint64_t{1} << 60));
  EXPECT_TRUE(link.confirm(2)) << "what it knows already is no news";
}

TEST(TlsLink, TakesEachFrameOnceAndInOrder) {
  Link link(0);
  EXPECT_EQ(link.take(0, 1), Link::Verdict::kNew);
  EXPECT_EQ(link.take(1, 1), Link::Verdict::kNew);
  EXPECT_EQ(link.take(0, 1), Link::Verdict::kRepeated);
  EXPECT_EQ(link.take(3, 1), Link::Verdict::kGap);
  EXPECT_EQ(link.expected(), 2u);
}

TEST(TlsLink, OwesAReceiptAtOnceForLargeFramesOnlyInTheEndForSmallOnes) {
  Link link(0);
  EXPECT_FALSE(link.owes_receipt());
  (void)link.take(0, 10);
  EXPECT_TRUE(link.owes_receipt());
  EXPECT_FALSE(link.owes_receipt_now());
  (void)link.take(1, 1'000'000);
  EXPECT_TRUE(link.owes_receipt_now());
  link.receipt_written();
  EXPECT_FALSE(link.owes_receipt());
  for (std::uint64_t number = 2; number < 1000; ++number)
    (void)link.take(number, 10);
  EXPECT_TRUE(link.owes_receipt_now());
}

TEST(TlsLink, SharesLargePayloadsAndCopiesSmallOnes) {
  Link link(0);
  const Message large = message_of(100'000, 1);
  const Message small = message_of(100, 2);
  link.push(FrameKind::kMessage, 0, large, seal_payload(large.payload()));
  link.push(FrameKind::kMessage, 0, small, seal_payload(small.payload()));
  EXPECT_EQ(link.unwritten()->message.payload().data(), large.payload().data());
  link.written();
  EXPECT_NE(link.unwritten()->message.payload().data(), small.payload().data());
  EXPECT_TRUE(std::ranges::equal(link.unwritten()->message.payload(), small.payload()));
}

TEST(TlsLink, StartsAnewFromZeroBothWays) {
  Link link(0);
  push(link);
  (void)write_all(link);
  (void)link.take(0, 1);
  link.restart();
  EXPECT_TRUE(link.all_confirmed());
  EXPECT_EQ(link.unconfirmed_bytes(), 0u);
  EXPECT_EQ(link.expected(), 0u);
  EXPECT_FALSE(link.owes_receipt());
  push(link);
  EXPECT_EQ(write_all(link), (Numbers{0}));
}

TEST(TlsHello, ComesBackAsItWas) {
  const Hello hello{.purpose = 3,
                    .session = 0x1122334455667788,
                    .peer_session = 5,
                    .next = 6,
                    .call = 7,
                    .taken = 0x99};
  EXPECT_EQ(parse_hello(encode_hello(hello)).value(), hello);
  const Receipt receipt{.next = 7, .heartbeat = 8};
  EXPECT_EQ(parse_receipt(encode_receipt(receipt)).value(), receipt);
}

// The bytes of docs/wire_format.md.
TEST(TlsHello, HasTheseBytes) {
  const HelloBytes bytes = encode_hello(
      {.purpose = 2, .session = 3, .peer_session = 4, .next = 5, .call = 6, .taken = 7});
  EXPECT_EQ(bytes, (HelloBytes{2, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 5, 0,
                               0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(TlsHello, RefusesAnotherVersionAndAnotherLength) {
  HelloBytes bytes = encode_hello({.session = 1});
  EXPECT_FALSE(parse_hello(ByteView(bytes).first(43)));
  EXPECT_FALSE(parse_hello(ByteView(bytes).first(1)));
  bytes[0] = 9;
  EXPECT_EQ(parse_hello(bytes).error().message,
            "it speaks version 9 of the link protocol, this program version 2");
  EXPECT_FALSE(parse_hello(encode_hello({.session = 0}))) << "0 means that there is none";
  EXPECT_FALSE(parse_receipt(ByteView(bytes).first(15)));
}

std::vector<std::uint8_t> frame_bytes(std::uint64_t sequence, std::size_t size) {
  const Message message = message_of(size, static_cast<std::uint8_t>(sequence));
  const HeaderBytes header = encode_header(
      {.sender = 1, .sequence = sequence, .payload = seal_payload(message.payload())});
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  bytes.insert(bytes.end(), message.payload().begin(), message.payload().end());
  return bytes;
}

// However the bytes are cut, the same frames come out.
TEST(TlsFrameReader, DoesNotMindWhereTheStreamIsCut) {
  const std::size_t sizes[] = {0, 1, 100, 40'000, 0, 16'384, 70'000};
  std::vector<std::uint8_t> stream;
  std::uint64_t count = 0;
  for (const std::size_t size : sizes) {
    const std::vector<std::uint8_t> frame = frame_bytes(count++, size);
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  for (const std::size_t piece : {1, 7, 55, 56, 57, 1000, 16'384, 1'000'000}) {
    SCOPED_TRACE(piece);
    FrameReader reader({.max_payload = 100'000});
    std::uint64_t sequence = 0;
    for (std::size_t at = 0; at < stream.size();) {
      const std::span<std::uint8_t> room = reader.room();
      ASSERT_FALSE(room.empty());
      const std::size_t bytes = std::min({piece, room.size(), stream.size() - at});
      std::copy_n(stream.begin() + static_cast<std::ptrdiff_t>(at), bytes, room.begin());
      reader.filled(bytes);
      at += bytes;
      while (std::optional<IncomingFrame> frame = reader.next().value()) {
        ASSERT_EQ(frame->header.sequence, sequence);
        ASSERT_EQ(frame->message.payload().size(), sizes[sequence]);
        ++sequence;
      }
    }
    EXPECT_EQ(sequence, count);
  }
}

TEST(TlsFrameReader, RefusesAPayloadAboveTheLimitBeforeItComes) {
  FrameReader reader({.max_payload = 1000});
  const HeaderBytes header =
      encode_header({.payload = {.size = std::uint64_t{1} << 60, .hash = 0}});
  std::ranges::copy(header, reader.room().begin());
  reader.filled(header.size());
  const auto frame = reader.next();
  ASSERT_FALSE(frame);
  EXPECT_NE(frame.error().message.find("1152921504606846976"), std::string::npos);
}

TEST(TlsRoundTrip, FollowsWhatItMeasures) {
  RoundTrip trip;
  EXPECT_EQ(trip.smoothed(), Duration{});
  trip.measured(Duration(1000));
  EXPECT_EQ(trip.smoothed(), Duration(1000));
  EXPECT_EQ(trip.longest(), Duration(3000));
  for (int i = 0; i < 200; ++i)
    trip.measured(Duration(8000));
  EXPECT_GT(trip.smoothed(), Duration(7900));
  EXPECT_LE(trip.smoothed(), Duration(8000));
}

TEST(TlsRefusals, TellEqualThingsOnceInAWhile) {
  Refusals refusals;
  const Clock::time_point start{};
  EXPECT_EQ(refusals.next("1.2.3.4", "1.2.3.4:5", "it is rude", start),
            (CallerRefused{"1.2.3.4:5", "it is rude", 0}));
  for (int port = 6; port < 100; ++port)
    EXPECT_EQ(refusals.next("1.2.3.4", "1.2.3.4:" + std::to_string(port), "it is rude", start),
              std::nullopt);
  EXPECT_TRUE(refusals.next("1.2.3.4", "1.2.3.4:7", "it is slow", start));
  EXPECT_EQ(refusals.next("1.2.3.4", "1.2.3.4:8", "it is rude", start + std::chrono::hours(1)),
            (CallerRefused{"1.2.3.4:8", "it is rude", 94}));
}

TEST(TlsRefusals, AreFewHoweverManyStrangersThereAre) {
  Refusals refusals;
  int said = 0;
  for (int host = 0; host < 10'000; ++host)
    said += refusals.next(std::to_string(host), "x", "it is rude", {}).has_value() ? 1 : 0;
  EXPECT_LT(said, 100);
  EXPECT_GT(said, 0);
}

}  // namespace
}  // namespace gossamer::tls
