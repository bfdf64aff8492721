#include "gossamer/network/tls/link.hpp"

#include <fmt/format.h>

namespace gossamer::tls {
namespace {

// Up to here a copy costs less than what its sender waits for.
constexpr std::size_t kCopied = 16ul * 1024;

// A sender keeps what is not confirmed: large frames are confirmed at once, small ones by dozens.
constexpr std::uint64_t kFramesPerReceipt = 64;
constexpr std::uint64_t kBytesPerReceipt = 64ul * 1024;

}  // namespace

void Link::push(FrameKind kind, Round round, const Message& message, const PayloadSeal& seal) {
  OutgoingFrame frame;
  frame.header = encode_header({.kind = kind,
                                .sender = self_,
                                .setup = kind == FrameKind::kMessage ? run_ : 0,
                                .round = round,
                                .sequence = first_ + frames_.size(),
                                .payload = seal});
  const ByteView payload = message.payload();
  if (payload.size() > kCopied) {
    frame.message = message;
  } else if (!payload.empty()) {
    const std::shared_ptr<ByteWriter> copy = copies_.take(payload.size());
    copy->write_bytes(payload);
    frame.message = Message(copy);
  }
  unconfirmed_bytes_ += frame.size();
  frames_.push(std::move(frame));
}

const OutgoingFrame* Link::unwritten() const {
  const std::uint64_t place = written_ - first_;
  return place < frames_.size() ? &frames_[place] : nullptr;
}

Result<void> Link::confirm(std::uint64_t next) {
  if (next < first_ || next > written_) {
    return Error{fmt::format("it confirms all frames before {}, and can have {} to {}", next,
                             first_, written_)};
  }
  for (; first_ < next; ++first_)
    unconfirmed_bytes_ -= frames_.pop().size();
  return {};
}

Result<void> Link::resume(std::uint64_t next) {
  if (Result<void> confirmed = confirm(next); !confirmed) return confirmed;
  written_ = first_;
  return {};
}

void Link::forget_unconfirmed() {
  for (; !frames_.empty(); ++first_)
    (void)frames_.pop();
  written_ = first_;
  unconfirmed_bytes_ = 0;
}

void Link::restart() {
  forget_unconfirmed();
  first_ = 0;
  written_ = 0;
  expected_ = 0;
  receipt_written();
}

Link::Verdict Link::take(std::uint64_t sequence, std::size_t bytes) {
  if (sequence < expected_) return Verdict::kRepeated;
  if (sequence > expected_) return Verdict::kGap;
  ++expected_;
  ++owed_frames_;
  owed_bytes_ += bytes;
  return Verdict::kNew;
}

bool Link::owes_receipt_now() const {
  return owed_frames_ >= kFramesPerReceipt || owed_bytes_ >= kBytesPerReceipt;
}

bool Link::owes_receipt_soon() const {
  return owed_frames_ >= kFramesPerReceipt / 4;
}

void Link::receipt_written() {
  owed_frames_ = 0;
  owed_bytes_ = 0;
}

}  // namespace gossamer::tls
