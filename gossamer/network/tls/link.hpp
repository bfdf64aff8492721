#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/base/message.hpp"
#include "gossamer/base/ring_queue.hpp"
#include "gossamer/network/sockets/buffer_pool.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer::tls {

/// What a frame costs that waits, sent or received, beside its payload: its places in a queue that
/// doubles when it grows, a shared buffer, and what both leave unused. Generous by a third
/// (measured with frames of one byte).
inline constexpr std::uint64_t kFrameCost = 512;

/// A frame on its way, kept until its receipt comes.
struct OutgoingFrame {
  HeaderBytes header{};
  Message message;

  [[nodiscard]] std::size_t size() const { return header.size() + message.payload().size(); }
};

/// What a link remembers so that nothing is lost and nothing comes twice, whatever becomes of its
/// connections: frames are numbered, kept until the peer confirms them, and sent again on the next
/// connection from the number that the peer names. Knows no socket and no clock.
class Link {
 public:
  /// `run`: what messages carry as their set-up.
  explicit Link(NodeId self, std::uint32_t run = 0) : self_(self), run_(run) {}

  // What goes out.

  /// Small payloads are copied, so that their senders have their buffers back at once; large ones
  /// are shared until they are confirmed.
  void push(FrameKind kind, Round round, const Message& message, const PayloadSeal& seal);

  /// The next frame that the current connection has not seen; null if it has seen them all.
  [[nodiscard]] const OutgoingFrame* unwritten() const;

  /// The connection took it.
  void written() { ++written_; }

  /// The peer has all frames before this number. Refuses a number that cannot be.
  [[nodiscard]] Result<void> confirm(std::uint64_t next);

  /// A new connection: the peer has all before this number, everything else is unwritten again.
  [[nodiscard]] Result<void> resume(std::uint64_t next);

  /// The peer wants no more of it.
  void forget_unconfirmed();

  /// Forgets what is under way, both ways, and counts from 0.
  void restart();

  [[nodiscard]] bool all_confirmed() const { return frames_.empty(); }

  [[nodiscard]] std::uint64_t unconfirmed_bytes() const { return unconfirmed_bytes_; }

  /// The memory that waits for receipts.
  [[nodiscard]] std::uint64_t held_bytes() const {
    return unconfirmed_bytes_ + kFrameCost * frames_.size();
  }

  // What comes in.

  enum class Verdict { kNew, kRepeated, kGap };

  /// A frame of this number came. A new one is owed a receipt.
  [[nodiscard]] Verdict take(std::uint64_t sequence, std::size_t bytes);

  /// The number of the next new frame.
  [[nodiscard]] std::uint64_t expected() const { return expected_; }

  [[nodiscard]] bool owes_receipt() const { return owed_frames_ > 0; }

  /// Whether so much came that the peer should not wait for its receipt.
  [[nodiscard]] bool owes_receipt_now() const;

  /// Whether a receipt is worth its bytes if something else is written anyway.
  [[nodiscard]] bool owes_receipt_soon() const;

  void receipt_written();

 private:
  NodeId self_;
  std::uint32_t run_;

  // frames_[0] has the number first_; the connection has seen all before the number written_.
  RingQueue<OutgoingFrame> frames_;
  std::uint64_t first_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t unconfirmed_bytes_ = 0;
  BufferPool copies_;

  std::uint64_t expected_ = 0;
  std::uint64_t owed_frames_ = 0;
  std::uint64_t owed_bytes_ = 0;
};

}  // namespace gossamer::tls
