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

void NodeHost::go_on_without_lost(const std::function<Membership::Setup(Membership::Setup)>& fill) {
  membership_ = std::make_unique<Membership>(
      fill({.network = network_, .topology = topology_, .events = events_}),
      [this](NodeId from, const Message& message) { node_.take_in(from, message); });
}

void NodeHost::send_aside(NodeId peer, const Message& aside) {
  const ThreadLeft left(node_.timeline());
  network_.send_aside(peer, node_.round(), aside);
}

void NodeHost::say_farewell(const std::string& sentence) {
  if (membership_) return;
  const Message farewell =
      make_aside(AsideKind::kFarewell, [&](ByteWriter& out) { out.write_text(sentence); });
  for (const Neighbour& neighbour : node_.neighbours()) {
    if (!node_.is_lost(neighbour.peer)) send_aside(neighbour.peer, farewell);
  }
}

std::optional<Aside> NodeHost::next_aside(Time deadline) {
  const PhaseScope wait(node_.timeline(), Phase::kWait);
  while (asides_.empty() && !has_news_) {
    if (!node_.take_in(deadline)) return std::nullopt;
  }
  if (!asides_.empty()) return asides_.pop();
  has_news_ = false;
  return Aside{.kind = AsideKind::kRumour, .from = node_.id(), .message = {}};
}

void NodeHost::hear(Arrival arrival) {
  switch (arrival.kind) {
    case Arrival::Kind::kAside:
      return hear_aside(std::move(arrival));
    case Arrival::Kind::kPeerLost:
      asides_.push({AsideKind::kPeerGone, arrival.from, arrival.round, {}});
      if (!membership_) return;
      membership_->peer_lost(arrival.from, node_.round(), arrival.reason);
      return membership_->tick();
    case Arrival::Kind::kPeerBack:
      asides_.push({AsideKind::kPeerBack, arrival.from, arrival.round, {}});
      if (!membership_) return;
      membership_->peer_back(arrival.from);
      return membership_->tick();
    case Arrival::Kind::kMessage:
    case Arrival::Kind::kTimedOut:
      return;
  }
}

void NodeHost::hear_aside(Arrival arrival) {
  const ByteView payload = arrival.message.payload();
  if (payload.empty()) throw CorruptMessage("an aside says what it is");
  const Aside aside{static_cast<AsideKind>(payload[0]), arrival.from, arrival.round,
                    std::move(arrival.message)};
  if (aside.kind == AsideKind::kRumour || aside.kind == AsideKind::kView) {
    if (!membership_) return;
    has_news_ = true;  // whoever waits may wait in vain now
    membership_->hear(aside);
    membership_->tick();
  } else if (aside.kind == AsideKind::kFarewell) {
    if (!membership_) throw RunEnded(aside.reader().read_text());
  } else if (!listener_(aside)) {
    asides_.push(aside);
  }
}

}  // namespace gossamer
