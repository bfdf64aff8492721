#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gossamer/network/sockets/stream.hpp"
#include "gossamer/network/tls/frame_reader.hpp"
#include "gossamer/network/tls/hello.hpp"
#include "gossamer/network/tls/link.hpp"

namespace gossamer::tls {

/// Frames on a stream. What a link has to send goes out in whole TLS records: small frames together
/// in one, the bulk of a large payload straight from the message.
class Connection {
 public:
  /// Until admit() only a hello is taken.
  Connection(std::unique_ptr<Stream> stream, NodeId self);

  [[nodiscard]] Stream& stream() { return *stream_; }

  [[nodiscard]] const Stream& stream() const { return *stream_; }

  /// Whether the reader goes on; false also after it closed the connection.
  using Take = std::function<bool(IncomingFrame&)>;

  /// Reads what is there, but not for ever, and gives away whole frames. kDone: there may be more.
  [[nodiscard]] Transfer receive(const Take& take);

  /// Whether receive() stopped only to let others have their turn. The socket does not become
  /// readable for what the stream has taken from it already.
  [[nodiscard]] bool has_more() const { return has_more_; }

  /// How many bytes on the socket are worth another receive(): fewer would make no frame. Waiting
  /// for them wakes a node a few times for a large message, not for each of its packets.
  [[nodiscard]] std::size_t awaited_bytes() const { return awaited_bytes_; }

  /// The other end has proved itself: larger frames may come.
  void admit(std::uint64_t max_payload);

  void queue_hello(const Hello& hello);
  /// Asks for a receipt that names it, and returns its number.
  std::uint64_t queue_heartbeat();

  void heartbeat_came(std::uint64_t number) {
    last_heartbeat_ = number;
    wants_receipt_ = true;
  }

  void queue_receipt() { wants_receipt_ = true; }

  /// Writes until everything is written or the socket takes no more. Without a link, only what was
  /// queued here.
  [[nodiscard]] Progress send(Link* link);

  /// Whether the socket took less than there was.
  [[nodiscard]] bool has_unsent() const { return staged_at_ < staged_.size() || !rest_.empty(); }

 private:
  void stage(ByteView bytes) { staged_.insert(staged_.end(), bytes.begin(), bytes.end()); }

  void stage_own(FrameKind kind, std::uint64_t sequence, ByteView payload);
  void stage_queued(Link* link);
  void stage_frames(Link& link);

  std::unique_ptr<Stream> stream_;
  NodeId self_;
  FrameReader reader_;
  bool has_more_ = false;
  std::size_t awaited_bytes_ = 1;

  std::vector<std::uint8_t> staged_;
  std::size_t staged_at_ = 0;
  // The rest of a payload, most of which never sees the stage.
  Message large_;
  ByteView rest_;

  std::optional<Hello> hello_;
  bool wants_receipt_ = false;
  bool wants_heartbeat_ = false;
  std::uint64_t heartbeats_ = 0;
  std::uint64_t last_heartbeat_ = 0;
};

}  // namespace gossamer::tls
