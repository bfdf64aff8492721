#include "gossamer/member/edges/edge_end.hpp"

#include <algorithm>

#include "gossamer/base/contract.hpp"

namespace gossamer {

void LossRecord::write(ByteWriter& out) const {
  out.write(of);
  out.write(edge.peer);
  out.write(edge.number);
  out.write_text(reason);
  out.write(static_cast<std::uint8_t>(wants_answer ? 1 : 0));
  out.write(sent);
  out.write(static_cast<std::uint32_t>(last.size()));
  for (const Message& message : last) {
    out.write(static_cast<std::uint64_t>(message.payload().size()));
    out.write_bytes(message.payload());
  }
}

LossRecord LossRecord::read(ByteReader& in) {
  LossRecord record;
  record.of = in.read<NodeId>();
  record.edge.peer = in.read<Incarnation>();
  record.edge.number = in.read<std::uint64_t>();
  record.reason = in.read_text();
  record.wants_answer = in.read<std::uint8_t>() != 0;
  record.sent = in.read<std::uint64_t>();
  for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
    const ByteView payload = in.read_bytes(in.read<std::uint64_t>());
    ByteWriter copy = Message::writer();
    copy.write_bytes(payload);
    record.last.emplace_back(std::move(copy));
  }
  if (record.last.size() > record.sent)
    throw CorruptMessage("a loss repeats more messages than were sent");
  return record;
}

EdgeEnd EdgeEnd::gone() {
  EdgeEnd end;
  end.state_ = State::kGone;
  return end;
}

void EdgeEnd::note_sent(const Message& message) {
  expects(is_live(), "messages go over live edges");
  ++sent_;
  if (last_.size() == kRemembered) last_.pop_front();
  last_.push_back(message);
}

bool EdgeEnd::note_arrived() {
  if (!is_live()) return false;
  ++arrived_;
  return true;
}

EdgeEnd::Next EdgeEnd::next() const {
  if (!is_live() && (taken_ >= sent_ || (end_ && taken_ >= *end_))) return Next::kOver;
  return taken_ < arrived_ ? Next::kTake : Next::kWait;
}

void EdgeEnd::give_up() {
  if (is_live()) state_ = State::kBroken;
}

void EdgeEnd::describe(LossRecord& record) const {
  record.sent = sent_;
  record.last.assign(last_.begin(), last_.end());
}

std::vector<Message> EdgeEnd::settle(const LossRecord& theirs) {
  expects(!is_live(), "an end gives up before it settles");
  std::vector<Message> missed;
  if (end_) return missed;
  const std::uint64_t end = std::min(sent_, theirs.sent);
  const std::uint64_t first = theirs.sent - theirs.last.size();  // number of last.front()
  while (arrived_ < end && arrived_ >= first) {
    missed.push_back(theirs.last[arrived_ - first]);
    ++arrived_;
  }
  end_ = std::min(end, arrived_);
  return missed;
}

void EdgeEnd::settle_alone() {
  if (!end_) end_ = std::min(sent_, arrived_);
}

}  // namespace gossamer
