#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "gossamer/base/message.hpp"

namespace gossamer {

/// Makes messages in buffers that are used again once their last copy is gone, so that steady
/// traffic does not allocate. Belongs to one thread; its messages may be read, copied and dropped
/// on any.
class MessagePool {
 public:
  /// A message of what `fill(ByteWriter&)` writes.
  template <typename Fill>
  [[nodiscard]] Message make(const Fill& fill) {
    const std::shared_ptr<ByteWriter> buffer = take();
    fill(*buffer);
    return Message(buffer);
  }

  /// An empty buffer, for whoever fills it by and by and then makes a message of it.
  [[nodiscard]] std::shared_ptr<ByteWriter> take() {
    std::shared_ptr<ByteWriter> buffer = free_buffer();
    buffer->clear();
    return buffer;
  }

  /// Buffers made so far.
  [[nodiscard]] std::size_t size() const { return buffers_.size(); }

 private:
  std::shared_ptr<ByteWriter> free_buffer() {
    for (const std::shared_ptr<ByteWriter>& buffer : buffers_) {
      // Only this pool holds it. Nobody else can copy it now, and copying it here waits for what
      // the last reader did before it let go.
      if (buffer.use_count() == 1) return buffer;
    }
    return buffers_.emplace_back(std::make_shared<ByteWriter>(Message::writer()));
  }

  std::vector<std::shared_ptr<ByteWriter>> buffers_;
};

}  // namespace gossamer
