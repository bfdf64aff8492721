#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "gossamer/base/bytes.hpp"

namespace gossamer {

/// One payload with room for a frame header in front of it: [head room | payload] in one buffer.
/// Immutable once made and shared by all its receivers, so a broadcast copies a pointer per
/// neighbour. Thread safety: as a const object; the buffer is freed with its last copy.
class Message {
 public:
  /// A frame header fits (wire/frame.hpp asserts it), and the payload starts on a cache line.
  static constexpr std::size_t kHeadRoom = 64;

  /// A writer whose bytes can become a message.
  [[nodiscard]] static ByteWriter writer() { return ByteWriter(kHeadRoom); }

  Message() = default;

  /// Takes a writer made by writer(), with whatever was stamped into the last bytes of its head
  /// room.
  explicit Message(ByteWriter&& written)
      : Message(std::make_shared<const ByteWriter>(std::move(written))) {}

  /// Shares a buffer that nobody writes to as long as a copy of this message lives.
  explicit Message(std::shared_ptr<const ByteWriter> buffer) : buffer_(std::move(buffer)) {
    expects(buffer_->head_room().size() == kHeadRoom, "a Message is made from Message::writer()");
  }

  [[nodiscard]] ByteView payload() const { return buffer_ ? buffer_->bytes() : ByteView{}; }

  /// The payload together with the last `header_size` bytes of the head room.
  [[nodiscard]] ByteView frame(std::size_t header_size) const {
    expects(buffer_ != nullptr && header_size <= kHeadRoom,
            "a frame has a header within the head room");
    const std::uint8_t* const begin = buffer_->head_room().data() + (kHeadRoom - header_size);
    return {begin, header_size + buffer_->size()};
  }

  [[nodiscard]] bool empty() const { return payload().empty(); }

 private:
  std::shared_ptr<const ByteWriter> buffer_;
};

}  // namespace gossamer
