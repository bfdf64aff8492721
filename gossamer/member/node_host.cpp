#include "gossamer/member/node_host.hpp"

#include <utility>

namespace gossamer {
namespace {

NodeSetup with_side(NodeSetup setup, RunSide& side) {
  setup.side = &side;
  return setup;
}

}  // namespace

NodeHost::NodeHost(const NodeSetup& setup, EventSink* events)
    : network_(setup.network),
      topology_(setup.topology),
      events_(events, setup.network.self(), [this] { return network_.now(); }),
      node_(with_side(setup, *this)) {}

void NodeHost::go_on_without_lost(Duration grace) {
  membership_ = std::make_unique<Membership>(
      Membership::Setup{network_, topology_, grace, events_},
      [this](NodeId from, const Message& message) { node_.take_in(from, message); });
  for (NodeId peer = 0; peer < network_.size(); ++peer) {
    if (node_.is_lost(peer) && !node_.reason_of_loss(peer).empty())
      membership_->lose(peer, node_.round(), node_.reason_of_loss(peer));
  }
}

void NodeHost::send_aside(NodeId peer, const Message& aside) {
  const ThreadLeft left(node_.timeline());
  network_.send_aside(peer, node_.round(), aside);
}

void NodeHost::say_farewell(const std::string& sentence) {
  const Message farewell =
      make_aside(AsideKind::kFarewell, [&](ByteWriter& out) { out.write_text(sentence); });
  for (const Neighbour& neighbour : node_.neighbours()) {
    if (!node_.is_lost(neighbour.peer)) send_aside(neighbour.peer, farewell);
  }
}

std::optional<Aside> NodeHost::next_aside(Time deadline) {
  const PhaseScope wait(node_.timeline(), Phase::kWait);
  while (asides_.empty()) {
    if (!node_.take_in(deadline)) return std::nullopt;
  }
  return asides_.pop();
}

void NodeHost::hear(Arrival arrival) {
  switch (arrival.kind) {
    case Arrival::Kind::kAside:
      return hear_aside(std::move(arrival));
    case Arrival::Kind::kPeerLost:
      // One that has ended may have done all that it was to do: missed only if it is waited for.
      if (membership_ && !arrival.reason.empty())
        membership_->lose(arrival.from, node_.round(), arrival.reason);
      asides_.push({AsideKind::kPeerGone, arrival.from, arrival.round, {}});
      return;
    case Arrival::Kind::kPeerBack:
      asides_.push({AsideKind::kPeerBack, arrival.from, arrival.round, {}});
      return;
    case Arrival::Kind::kMessage:
    case Arrival::Kind::kTimedOut:
      return;
  }
}

bool NodeHost::is_part_of_run(NodeId peer) const {
  return !membership_ || !membership_->is_neighbour(peer) || membership_->is_live(peer);
}

void NodeHost::hear_aside(Arrival arrival) {
  const ByteView payload = arrival.message.payload();
  if (payload.empty()) throw CorruptMessage("an aside says what it is");
  const Aside aside{static_cast<AsideKind>(payload[0]), arrival.from, arrival.round,
                    std::move(arrival.message)};
  if (membership_ && (aside.kind == AsideKind::kLoss || aside.kind == AsideKind::kRestored)) {
    membership_->hear(aside);
    asides_.push(aside);  // whoever waits may wait in vain now
  } else if (aside.kind == AsideKind::kFarewell) {
    // One that was to join, and is refused, takes leave of a run that it had no part in.
    if (is_part_of_run(aside.from)) throw RunEnded(aside.reader().read_text());
  } else if (!listener_(aside)) {
    asides_.push(aside);
  }
}

}  // namespace gossamer
