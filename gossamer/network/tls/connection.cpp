#include "gossamer/network/tls/connection.hpp"

#include <algorithm>

namespace gossamer::tls {
namespace {

// The payload of the largest TLS record.
constexpr std::size_t kRecord = 16ul * 1024;

// After so many bytes others have their turn.
constexpr std::size_t kTurn = 1024ul * 1024;

// Large messages are decrypted while they come, and leave room in the socket for what is on its
// way.
constexpr std::size_t kMostAwaited = 64ul * 1024;

}  // namespace

Connection::Connection(std::unique_ptr<Stream> stream, NodeId self)
    : stream_(std::move(stream)),
      self_(self),
      reader_({.max_payload = std::tuple_size_v<HelloBytes>}) {
  staged_.reserve(kRecord + 1024);
}

Transfer Connection::receive(const Take& take) {
  Transfer sum;
  has_more_ = false;
  awaited_bytes_ = 1;
  for (;;) {
    for (;;) {
      Result<std::optional<IncomingFrame>> frame = reader_.next();
      if (!frame) {
        stream_->refuse(frame.error().message);
        return {Progress::kFailed, sum.bytes};
      }
      if (!frame.value()) break;
      if (!take(*frame.value())) return sum;
    }
    if (sum.bytes >= kTurn) {
      has_more_ = true;
      return sum;
    }
    const Transfer read = stream_->read_some(reader_.room());
    if (read.progress == Progress::kNeedsReadable) {
      awaited_bytes_ = std::min(stream_->awaited_for(reader_.missing()), kMostAwaited);
    }
    if (read.progress != Progress::kDone) return {read.progress, sum.bytes};
    reader_.filled(read.bytes);
    sum.bytes += read.bytes;
  }
}

void Connection::admit(std::uint64_t max_payload) {
  reader_.set_limits({.max_payload = max_payload});
}

void Connection::queue_hello(const Hello& hello) {
  hello_ = hello;
}

std::uint64_t Connection::queue_heartbeat() {
  wants_heartbeat_ = true;
  return heartbeats_ + 1;
}

Progress Connection::send(Link* link) {
  for (;;) {
    if (!has_unsent()) {
      staged_.clear();
      staged_at_ = 0;
      stage_queued(link);
      if (link != nullptr) stage_frames(*link);
      if (staged_.empty()) return Progress::kDone;
    }
    const bool is_staged = staged_at_ < staged_.size();
    const ByteView bytes = is_staged ? ByteView(staged_).subspan(staged_at_) : rest_;
    const Transfer write = stream_->write_some(bytes);
    if (write.progress != Progress::kDone) return write.progress;
    if (is_staged) {
      staged_at_ += write.bytes;
    } else {
      rest_ = rest_.subspan(write.bytes);
      if (rest_.empty()) large_ = {};
    }
  }
}

void Connection::stage_own(FrameKind kind, std::uint64_t sequence, ByteView payload) {
  stage(encode_header(
      {.kind = kind, .sender = self_, .sequence = sequence, .payload = seal_payload(payload)}));
  stage(payload);
}

void Connection::stage_queued(Link* link) {
  if (hello_) {
    stage_own(FrameKind::kHello, 0, encode_hello(*hello_));
    hello_.reset();
  }
  if (link == nullptr) return;
  if (wants_receipt_ || (link->owes_receipt_soon() && link->unwritten() != nullptr)) {
    stage_own(FrameKind::kReceipt, 0,
              encode_receipt({.next = link->expected(), .heartbeat = last_heartbeat_}));
    link->receipt_written();
    wants_receipt_ = false;
  }
  if (wants_heartbeat_) {
    stage_own(FrameKind::kHeartbeat, ++heartbeats_, {});
    wants_heartbeat_ = false;
  }
}

void Connection::stage_frames(Link& link) {
  while (const OutgoingFrame* const frame = link.unwritten()) {
    const std::size_t room = kRecord - std::min(kRecord, staged_.size());
    const ByteView payload = frame->message.payload();
    if (frame->size() > room && frame->size() <= kRecord) return;
    if (room < frame->header.size()) return;
    stage(frame->header);
    const std::size_t first = std::min(payload.size(), room - frame->header.size());
    stage(payload.first(first));
    if (first < payload.size()) {
      large_ = frame->message;
      rest_ = payload.subspan(first);
      return link.written();
    }
    link.written();
  }
}

}  // namespace gossamer::tls
