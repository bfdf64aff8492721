#include "gossamer/network/tls/frame_reader.hpp"

#include <algorithm>
#include <cstring>

namespace gossamer::tls {

std::span<std::uint8_t> FrameReader::room() {
  if (header_ && begin_ == end_) return payload_.subspan(payload_filled_);
  return std::span(buffer_).subspan(end_);
}

void FrameReader::filled(std::size_t count) {
  expects(count <= room().size(), "no more bytes than there was room for");
  if (header_ && begin_ == end_) {
    payload_filled_ += count;
  } else {
    end_ += count;
  }
}

Result<std::optional<IncomingFrame>> FrameReader::next() {
  if (!header_) {
    if (end_ - begin_ < kFrameHeaderSize) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
      return std::optional<IncomingFrame>{};
    }
    const Result<FrameHeader> header =
        parse_header(ByteView(buffer_).subspan(begin_, end_ - begin_), limits_);
    if (!header) return header.error();
    begin_ += kFrameHeaderSize;
    header_ = header.value();
    message_ = pool_.take(header_->payload.size);
    payload_ = message_->extend(header_->payload.size);
    payload_filled_ = 0;
  }

  const std::size_t count = std::min(missing_payload(), end_ - begin_);
  if (count > 0) std::memcpy(payload_.data() + payload_filled_, buffer_.data() + begin_, count);
  payload_filled_ += count;
  begin_ += count;
  if (begin_ == end_) begin_ = end_ = 0;
  if (missing_payload() > 0) return std::optional<IncomingFrame>{};

  const FrameHeader header = *header_;
  header_.reset();
  if (const Result<void> checked = check_payload(header, payload_); !checked) {
    return checked.error();
  }
  return std::optional(IncomingFrame{header, Message(std::move(message_))});
}

}  // namespace gossamer::tls
