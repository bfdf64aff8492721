#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gossamer/base/message.hpp"
#include "gossamer/network/sockets/buffer_pool.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer::tls {

struct IncomingFrame {
  FrameHeader header;
  Message message;
};

/// Makes frames of a stream of bytes, however they are cut:
///
///   bytes come -> into room(), then filled(count), then next() until it gives nothing
///
/// Most of a large payload is read straight into the message that the node receives.
class FrameReader {
 public:
  explicit FrameReader(const FrameLimits& limits) : limits_(limits), buffer_(kBuffer) {}

  /// For the frames that next() has not begun yet.
  void set_limits(const FrameLimits& limits) { limits_ = limits; }

  /// Where the next bytes of the stream go. Never empty after next() gave nothing.
  [[nodiscard]] std::span<std::uint8_t> room();

  /// So many bytes of room() were written.
  void filled(std::size_t count);

  /// The next whole frame; nothing if it needs more bytes; an error if no honest peer sends what
  /// came, after which the stream makes no sense any more.
  [[nodiscard]] Result<std::optional<IncomingFrame>> next();

  /// After next() gave nothing: how many bytes it needs for a whole header, or for a whole payload.
  [[nodiscard]] std::size_t missing() const {
    return header_ ? missing_payload() : kFrameHeaderSize - (end_ - begin_);
  }

 private:
  static constexpr std::size_t kBuffer = 32ul * 1024;

  [[nodiscard]] std::size_t missing_payload() const { return payload_.size() - payload_filled_; }

  FrameLimits limits_;

  // Bytes that belong to no payload yet: buffer_[begin_, end_).
  std::vector<std::uint8_t> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;

  // The frame whose payload is coming.
  std::optional<FrameHeader> header_;
  std::shared_ptr<ByteWriter> message_;
  std::span<std::uint8_t> payload_;
  std::size_t payload_filled_ = 0;
  BufferPool pool_;
};

}  // namespace gossamer::tls
