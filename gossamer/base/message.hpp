#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "gossamer/base/bytes.hpp"

namespace gossamer {

/// One payload with room for a header in front of it: [head room | payload] in one buffer.
/// Immutable once made and shared by all its receivers, so a broadcast copies a pointer per
/// neighbour. Thread safety: as a const object; the buffer is freed with its last copy.
class Message {
 public:
  /// A transport that sends its header and the payload in one piece (MPI) receives the header here,
  /// and the payload starts on a cache line.
  static constexpr std::size_t kHeadRoom = 64;

  /// A writer whose bytes can become a message.
  [[nodiscard]] static ByteWriter writer() { return ByteWriter(kHeadRoom); }

  Message() = default;

  /// Takes a writer made by writer().
  explicit Message(ByteWriter&& written)
      : Message(std::make_shared<const ByteWriter>(std::move(written))) {}

  /// Shares a buffer that nobody writes to as long as a copy of this message lives.
  explicit Message(std::shared_ptr<const ByteWriter> buffer) : buffer_(std::move(buffer)) {
    expects(buffer_->head_room().size() == kHeadRoom, "a Message is made from Message::writer()");
  }

  [[nodiscard]] ByteView payload() const { return buffer_ ? buffer_->bytes() : ByteView{}; }

  [[nodiscard]] bool empty() const { return payload().empty(); }

 private:
  std::shared_ptr<const ByteWriter> buffer_;
};

}  // namespace gossamer
