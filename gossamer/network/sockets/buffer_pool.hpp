#pragma once

#include <cstddef>
#include <memory>

#include "gossamer/base/message.hpp"
#include "gossamer/base/ring_queue.hpp"

namespace gossamer::tls {

/// Buffers of messages, used again once their last reader has let go of them. Other than a
/// MessagePool it takes the same few steps however many buffers are in use, and keeps only a few:
/// a burst of messages leaves nothing behind.
class BufferPool {
 public:
  /// An empty buffer with room for so many bytes, to be filled and shared as a Message.
  [[nodiscard]] std::shared_ptr<ByteWriter> take(std::size_t size) {
    Shelf& shelf = size <= kSmall ? small_ : large_;
    std::shared_ptr<ByteWriter> buffer = shelf.free_buffer();
    buffer->clear();
    buffer->reserve(size);
    return buffer;
  }

 private:
  static constexpr std::size_t kSmall = 64ul * 1024;

  struct Shelf {
    std::size_t most;
    RingQueue<std::shared_ptr<ByteWriter>> buffers = {};

    // Buffers come back roughly in the order in which they were given out: the first few are the
    // ones to look at.
    std::shared_ptr<ByteWriter> free_buffer() {
      constexpr std::size_t kLooks = 4;
      for (std::size_t look = 0; look < kLooks && look < buffers.size(); ++look) {
        std::shared_ptr<ByteWriter> buffer = buffers.pop();
        const bool is_free = buffer.use_count() == 1;
        buffers.push(buffer);
        if (is_free) return buffer;
      }
      auto made = std::make_shared<ByteWriter>(Message::writer());
      if (buffers.size() < most) buffers.push(made);
      return made;
    }
  };

  Shelf small_{256};
  Shelf large_{8};
};

}  // namespace gossamer::tls
