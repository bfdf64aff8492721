// The part of World that moves frames over links that are up.

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/network/tls/world.hpp"

namespace gossamer::tls {
namespace {

// How long a peer may wait to hear that its frames have come.
constexpr Clock::duration kReceiptDelay = std::chrono::milliseconds(20);

// What may lie on either side of a link, at least.
constexpr std::uint64_t kMostBytes = 64ul * 1024 * 1024;

}  // namespace

std::uint64_t World::most_bytes(const Peer& peer) const {
  return std::max(kMostBytes, 4 * peer.largest_frame);
}

bool World::takes_more(const Peer& peer) const {
  return !peer.takes_messages() || is_closed_ || peer.link.held_bytes() <= most_bytes(peer);
}

void World::push(Peer& peer, FrameKind kind, Round round, const Message& message,
                 const PayloadSeal& seal) {
  last_round_ = round;
  if (!peer.takes_messages() || is_closed_) return;
  peer.largest_frame = std::max<std::uint64_t>(peer.largest_frame, message.payload().size());
  peer.link.push(kind, round, message, seal);
  if (peer.wire) (void)write(peer);
}

std::optional<Arrival> World::take_arrival() {
  if (inbox_.empty()) return std::nullopt;
  Arrival arrival = inbox_.pop();
  Peer& peer = peer_of(arrival.from);
  const bool is_news =
      arrival.kind == Arrival::Kind::kPeerLost || arrival.kind == Arrival::Kind::kPeerBack;
  if (is_news) {
    --peer.unheard_news;
  } else {
    peer.inbox_bytes -= kFrameCost + arrival.message.payload().size();
  }
  if (peer.is_paused && peer.inbox_bytes <= most_bytes(peer) / 2) {
    peer.is_paused = false;
    peer.last_heard = Clock::now();
    wake_by(peer.last_heard + tolerated_silence(peer));
    read_on(peer);
  }
  return arrival;
}

bool World::has_unsent() const {
  return std::ranges::any_of(peers_, [](const auto& peer) {
    return peer->wire && (peer->wire->is_blocked || peer->wire->connection.has_unsent());
  });
}

void World::readable(Wire& wire) {
  read_on(peer_on(wire));
}

void World::writable(Wire& wire) {
  Peer& peer = peer_on(wire);
  // Reading, too, may have waited for this: TLS answers on its own when keys change.
  if (write(peer)) read_on(peer);
}

void World::read_on(Peer& peer) {
  if (!read(peer) || peer.is_paused) return;
  if (peer.wire->connection.has_more()) {
    peer.wire->socket->read_again();
  } else {
    peer.wire->socket->wait_readable(peer.wire->connection.awaited_bytes());
  }
}

bool World::read(Peer& peer) {
  if (peer.is_paused) return true;
  Wire& wire = *peer.wire;
  const Transfer received = wire.connection.receive([this, &peer](IncomingFrame& frame) {
    take(peer, frame);
    return peer.fault.empty() && !peer.is_paused;
  });
  if (received.bytes > 0) peer.last_heard = Clock::now();
  if (peer.is_parting && peer.link.all_confirmed()) {
    finish_parting(peer);
    return false;
  }
  if (!peer.fault.empty()) {
    const std::string fault = peer.fault;
    door_.tell_refused(wire, fault);
    if (peer.fault_stays) {
      lose(peer, fault);
    } else {
      drop_wire(peer, fault);
    }
    return false;
  }
  switch (received.progress) {
    case Progress::kDone:
    case Progress::kNeedsReadable:
      break;
    case Progress::kNeedsWritable:
      wire.socket->wait_writable();
      break;
    case Progress::kFailed:
      door_.tell_refused(wire, wire.connection.stream().failure());
      [[fallthrough]];
    case Progress::kEnded:
      drop_wire(peer, std::string(wire.connection.stream().failure()));
      return false;
  }
  schedule_receipt(peer);
  return write(peer);
}

bool World::write(Peer& peer) {
  const Progress progress = peer.wire->send(&peer.link);
  if (progress == Progress::kEnded || progress == Progress::kFailed) {
    drop_wire(peer, std::string(peer.wire->connection.stream().failure()));
    return false;
  }
  if (!peer.link.owes_receipt()) peer.receipt_due = Clock::time_point::max();
  return true;
}

void World::schedule_receipt(Peer& peer) {
  if (peer.link.owes_receipt_now()) {
    peer.wire->connection.queue_receipt();
  } else if (peer.link.owes_receipt() && peer.receipt_due == Clock::time_point::max()) {
    peer.receipt_due = Clock::now() + kReceiptDelay;
    wake_by(peer.receipt_due);
  }
}

void World::take(Peer& peer, IncomingFrame& frame) {
  if (frame.header.sender != peer.place.id) {
    peer.fault = fmt::format("it is node {}, and sent a frame of node {}", peer.place.id,
                             frame.header.sender);
    return;
  }
  switch (frame.header.kind) {
    case FrameKind::kMessage:
    case FrameKind::kAside:
    case FrameKind::kGoodbye:
      return take_numbered(peer, frame);
    case FrameKind::kReceipt:
      return take_receipt(peer, frame);
    case FrameKind::kHeartbeat:
      return peer.wire->connection.heartbeat_came(frame.header.sequence);
    case FrameKind::kHello:
      peer.fault = fmt::format("node {} said hello twice", peer.place.id);
  }
}

void World::take_receipt(Peer& peer, const IncomingFrame& frame) {
  const Result<Receipt> receipt = parse_receipt(frame.message.payload());
  if (!receipt) {
    peer.fault = receipt.error().message;
    return;
  }
  // What was sent to a peer that has ended since is forgotten.
  if (!peer.is_lost) {
    if (const Result<void> confirmed = peer.link.confirm(receipt.value().next); !confirmed) {
      peer.fault = confirmed.error().message;
      return;
    }
  }
  if (peer.asked_heartbeat != 0 && receipt.value().heartbeat >= peer.asked_heartbeat) {
    peer.round_trip.measured(Clock::now() - peer.asked_at);
    peer.asked_heartbeat = 0;
  }
}

void World::take_numbered(Peer& peer, IncomingFrame& frame) {
  const std::uint64_t size = frame.message.payload().size();
  switch (peer.link.take(frame.header.sequence, size)) {
    case Link::Verdict::kNew:
      break;
    case Link::Verdict::kRepeated:
      return door_.tell_refused(*peer.wire, fmt::format("node {} repeated frame {}", peer.place.id,
                                                        frame.header.sequence));
    case Link::Verdict::kGap:
      peer.fault = fmt::format("node {} sent frame {} where frame {} was next", peer.place.id,
                               frame.header.sequence, peer.link.expected());
      return;
  }
  if (peer.is_lost) return;
  if (frame.header.kind == FrameKind::kGoodbye) return take_goodbye(peer, frame);
  if (is_ending_ || peer.is_parting) return;
  if (frame.header.kind == FrameKind::kMessage && frame.header.setup != setup_.run) {
    peer.fault =
        fmt::format("it runs with other settings than this node (set-up {:08x} there, {:08x} here)",
                    frame.header.setup, setup_.run);
    peer.fault_stays = true;
    return;
  }
  peer.largest_frame = std::max(peer.largest_frame, size);
  peer.inbox_bytes += kFrameCost + size;
  if (peer.inbox_bytes > most_bytes(peer)) peer.is_paused = true;
  inbox_.push(arrival_of(frame.header.kind, peer.place.id, frame.header.round, frame.message));
}

void World::take_goodbye(Peer& peer, const IncomingFrame& frame) {
  const ByteView payload = frame.message.payload();
  const bool is_parting = std::ranges::equal(payload, kParting);
  if (!payload.empty() && !is_parting) {
    peer.fault =
        fmt::format("node {} said goodbye in {} unknown bytes", peer.place.id, payload.size());
    return;
  }
  // Its sender waits for the receipt, and may call for it again.
  peer.wire->connection.queue_receipt();
  peer.farewell = hello_to(peer);
  if (peer.is_parting) {
    // Both want no more of each other.
    peer.link.forget_unconfirmed();
  } else if (is_parting) {
    peer.is_wanted = false;
    give_up(peer);
    tell(peer, Arrival::Kind::kPeerLost, std::string(kPartedReason));
    peer.is_told_lost = false;  // nothing is wrong with it
  } else {
    lose(peer, "");
  }
}

}  // namespace gossamer::tls
