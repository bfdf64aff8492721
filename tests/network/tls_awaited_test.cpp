// How many bytes a connection waits for before it wakes up: no fewer than make a difference, and
// never more than come.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "tests/network/certificates.hpp"
#include "tests/network/tls_world.hpp"
#include <gtest/gtest.h>

#include "gossamer/base/rng.hpp"
#include "gossamer/network/sockets/event_loop.hpp"
#include "gossamer/network/sockets/record_meter.hpp"
#include "gossamer/network/tls/connection.hpp"

namespace gossamer::tls {
namespace {

using gossamer::testing::message_of;
using gossamer::testing::our_cluster;

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kRecordHeader = 5;

Bytes record_of(std::size_t length) {
  Bytes record(kRecordHeader + length, 255);
  record[3] = static_cast<std::uint8_t>(length / 256);
  record[4] = static_cast<std::uint8_t>(length % 256);
  return record;
}

TEST(RecordMeter, KnowsWhatIsMissingWhereverTheBytesAreCut) {
  Rng rng(RngKey{.seed = 1});
  std::vector<std::size_t> lengths = {0, 1, 255, 256, 16'401, 0, 0, 300};
  RecordMeter meter;
  for (const std::size_t length : lengths) {
    const Bytes record = record_of(length);
    for (std::size_t at = 0; at < record.size();) {
      const std::size_t known = at < kRecordHeader ? kRecordHeader : record.size();
      ASSERT_EQ(meter.begun(), at);
      ASSERT_EQ(meter.missing(), known - at);
      const std::size_t count =
          std::min(record.size() - at, 1 + static_cast<std::size_t>(3000.0 * rng.uniform()));
      meter.came(ByteView(record).subspan(at, count));
      at += count;
    }
    ASSERT_EQ(meter.begun(), 0u) << "a whole record of " << length;
  }
}

TEST(RecordMeter, TakesManyRecordsAtOnce) {
  Bytes stream;
  for (const std::size_t length : {100, 0, 16'401, 7}) {
    const Bytes record = record_of(length);
    stream.insert(stream.end(), record.begin(), record.end());
  }
  RecordMeter meter;
  meter.came(ByteView(stream).first(stream.size() - 3));
  EXPECT_EQ(meter.begun(), kRecordHeader + 4);
  EXPECT_EQ(meter.missing(), 3u);
}

/// Two sockets that are connected, neither of which blocks.
struct SocketPair {
  SocketPair() {
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) != 0)
      throw std::runtime_error("no pair of sockets");
  }

  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;

  ~SocketPair() {
    for (const int end : ends)
      ::close(end);
  }

  std::array<int, 2> ends{};
};

/// What one end has written, on its way to the other, which gets as much of it as the test wants.
class Cable {
 public:
  Cable(int from, int to) : from_(from), to_(to) {}

  [[nodiscard]] std::size_t held() {
    std::array<std::uint8_t, 4096> room{};
    for (long count = 0; (count = ::recv(from_, room.data(), room.size(), 0)) > 0;)
      bytes_.insert(bytes_.end(), room.begin(), room.begin() + count);
    return bytes_.size();
  }

  void pass_on(std::size_t count) {
    count = std::min(count, held());
    ASSERT_EQ(::send(to_, bytes_.data(), count, 0), static_cast<long>(count));
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(count));
  }

 private:
  int from_;
  int to_;
  Bytes bytes_;
};

enum class Transport { kTls, kPlain };

/// A sender and a receiver that have shaken hands.
class Conversation {
 public:
  explicit Conversation(Transport transport)
      : mine_(Credentials::load(our_cluster().credentials(0), 0).value()),
        theirs_(Credentials::load(our_cluster().credentials(1), 1).value()),
        sender(stream(left_.ends[0], Side::kDialled, mine_, transport), 0),
        receiver(stream(right_.ends[0], Side::kAccepted, theirs_, transport), 1),
        cable(left_.ends[1], right_.ends[1]),
        back_(right_.ends[1], left_.ends[1]) {
    receiver.admit(1 << 30);
    for (int flight = 0; flight < 4; ++flight) {
      (void)sender.stream().handshake();
      cable.pass_on(cable.held());
      (void)receiver.stream().handshake();
      back_.pass_on(back_.held());
    }
    EXPECT_EQ(sender.stream().handshake(), Progress::kDone) << sender.stream().failure();
    EXPECT_EQ(receiver.stream().handshake(), Progress::kDone) << receiver.stream().failure();
    (void)receiver.receive([](IncomingFrame&) { return false; });  // finds nothing, and waits
  }

  /// All of them are in the cable then.
  void send(std::initializer_list<std::size_t> sizes) {
    for (const std::size_t size : sizes) {
      const Message message = message_of(size, 1);
      link_.push(FrameKind::kMessage, 0, message, seal_payload(message.payload()));
    }
    while (sender.send(&link_) == Progress::kNeedsWritable)
      (void)cable.held();
    (void)cable.held();
  }

 private:
  static std::unique_ptr<Stream> stream(int end, Side side, const Credentials& credentials,
                                        Transport transport) {
    return transport == Transport::kPlain ? plain_stream(end) : tls_stream(end, side, credentials);
  }

  SocketPair left_;
  SocketPair right_;
  Credentials mine_;
  Credentials theirs_;
  Link link_{0};

 public:
  Connection sender;
  Connection receiver;
  Cable cable;

 private:
  Cable back_;
};

class AwaitedBytes : public ::testing::TestWithParam<Transport> {};

INSTANTIATE_TEST_SUITE_P(Transports, AwaitedBytes,
                         ::testing::Values(Transport::kTls, Transport::kPlain));

constexpr std::initializer_list<std::size_t> kSizes = {150'000, 10, 1'000'000, 16'384, 0, 40'000};

TEST_P(AwaitedBytes, AlwaysCome) {
  Conversation conversation(GetParam());
  conversation.send(kSizes);
  Rng rng(RngKey{.seed = 2});
  std::size_t frames = 0;
  const auto take = [&](IncomingFrame&) { return ++frames, true; };
  while (frames < kSizes.size()) {
    ASSERT_GT(conversation.cable.held(), 0u);
    conversation.cable.pass_on(1 + static_cast<std::size_t>(30'000.0 * rng.uniform()));
    ASSERT_EQ(conversation.receiver.receive(take).progress, Progress::kNeedsReadable);
    if (frames < kSizes.size()) {
      ASSERT_LE(conversation.receiver.awaited_bytes(), conversation.cable.held())
          << "after " << frames << " frames: it would wait for ever";
    }
  }
}

TEST_P(AwaitedBytes, WakeAnybodyForNothingOnlyToDecryptAhead) {
  Conversation conversation(GetParam());
  for (const std::size_t size : kSizes) {
    conversation.send({size});
    bool is_there = false;
    int wakes = 0;
    while (!is_there) {
      conversation.cable.pass_on(conversation.receiver.awaited_bytes());
      (void)conversation.receiver.receive([&](IncomingFrame&) { return is_there = true; });
      ++wakes;
      ASSERT_GT(conversation.cable.held() + is_there, 0u);
    }
    // The frame's header, the rest of its record, then 64 KiB at a time and what is left of them;
    // what encryption adds to that, 22 bytes for each record, may come last.
    EXPECT_LE(wakes, 4 + static_cast<int>(size / (64 * 1024))) << size;
    conversation.cable.pass_on(conversation.cable.held());
  }
}

TEST_P(AwaitedBytes, AreAFramesHeaderBetweenFrames) {
  Conversation conversation(GetParam());
  conversation.send({100'000});
  conversation.cable.pass_on(conversation.cable.held());
  bool is_there = false;
  (void)conversation.receiver.receive([&](IncomingFrame&) { return is_there = true; });
  ASSERT_TRUE(is_there);
  EXPECT_EQ(conversation.receiver.awaited_bytes(), kFrameHeaderSize);
}

TEST(EventLoop, CallsBackOnlyWhenEnoughBytesHaveCome) {
  EventLoop loop;
  const BoundSocket bound = bind_socket("127.0.0.1", "0").value();
  std::unique_ptr<Socket> accepted;
  std::unique_ptr<Socket> dialled;
  loop.listen(bound.descriptor,
              [&](std::unique_ptr<Socket> socket) { accepted = std::move(socket); });
  const auto dial = loop.dial("127.0.0.1", std::to_string(bound.port),
                              [&](auto socket) { dialled = std::move(socket).value(); });
  while (!accepted || !dialled)
    loop.run_one();

  int calls = 0;
  accepted->on_ready([&] { ++calls; }, [] {});
  const Bytes bytes(1000);
  const auto send = [&](std::size_t count) {
    ASSERT_EQ(::send(dialled->descriptor(), bytes.data(), count, 0), static_cast<long>(count));
  };
  accepted->wait_readable(1000);
  send(999);
  loop.poll();
  EXPECT_EQ(calls, 0);
  send(1);
  loop.run_one();
  EXPECT_EQ(calls, 1);

  accepted->wait_readable(2000);
  loop.poll();
  EXPECT_EQ(calls, 1) << "1000 lie there, which is too few";
  dialled->end_sending();
  loop.run_one();
  EXPECT_EQ(calls, 2) << "more will not come";
}

}  // namespace
}  // namespace gossamer::tls
