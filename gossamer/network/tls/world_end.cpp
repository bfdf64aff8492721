// The part of World that looks back: how links did, and how they end.

#include <algorithm>

#include "gossamer/network/tls/world.hpp"

namespace gossamer::tls {

std::vector<LinkStatistics> World::statistics() const {
  std::vector<LinkStatistics> links;
  for (const auto& peer : peers_) {
    if (peer->is_reserve && !peer->was_up) continue;
    LinkStatistics& link = links.emplace_back();
    link.peer = peer->place.id;
    link.is_up = peer->wire != nullptr;
    link.round_trip = peer->round_trip.smoothed();
    link.bytes_sent = peer->bytes_sent;
    link.bytes_received = peer->bytes_received;
    if (peer->wire) {
      link.bytes_sent += peer->wire->connection.stream().bytes_sent();
      link.bytes_received += peer->wire->connection.stream().bytes_received();
    }
    link.reconnects = peer->connections - std::min<std::uint64_t>(peer->connections, 1);
    link.unconfirmed_bytes = peer->link.unconfirmed_bytes();
  }
  return links;
}

std::vector<Trouble> World::troubles() const {
  std::vector<Trouble> troubles;
  for (const auto& peer : peers_) {
    if (!peer->wire && peer->is_wanted) troubles.push_back({peer->place.id, peer->trouble});
  }
  return troubles;
}

void World::forget_absent() {
  for (const auto& peer : peers_) {
    if (!peer->was_up && !peer->is_lost) lose(*peer, "");
  }
}

void World::part_from(Peer& peer) {
  peer.is_wanted = false;
  peer.reached_at.reset();
  if (peer.is_lost) return door_.hang_up(peer.place.id);
  if (std::exchange(peer.is_parting, true)) return;
  // Nothing was ever said.
  if (!peer.was_up) return lose(peer, "");
  ByteWriter writer = Message::writer();
  writer.write_bytes(kParting);
  const Message parting(std::move(writer));
  peer.link.push(FrameKind::kGoodbye, last_round_, parting, seal_payload(parting.payload()));
  if (!peer.wire || !write(peer)) return;
  // What comes is thrown away from now on: nothing is held back for the node.
  if (std::exchange(peer.is_paused, false)) read_on(peer);
}

// The other end knows.
void World::finish_parting(Peer& peer) {
  if (write(peer)) drop_wire(peer, "it was let go");
  lose(peer, "");
}

void World::say_goodbye() {
  is_ending_ = true;
  for (const auto& peer : peers_) {
    // What has not been taken will not be: nothing is held back for it any more.
    if (std::exchange(peer->is_paused, false)) read_on(*peer);
    if (peer->is_lost || peer->is_parting) continue;
    peer->link.push(FrameKind::kGoodbye, 0, {}, seal_payload({}));
    if (peer->wire) (void)write(*peer);
  }
}

bool World::owes_nothing(const Peer& peer) {
  return peer.is_lost || peer.link.all_confirmed();
}

bool World::is_settled() const {
  return std::ranges::all_of(peers_, [](const auto& peer) {
    const bool is_written = !peer->wire || !peer->wire->connection.has_unsent();
    return owes_nothing(*peer) && is_written;
  });
}

void World::end_sending() {
  for (const auto& peer : peers_) {
    if (!peer->wire) continue;
    if (peer->link.owes_receipt()) peer->wire->connection.queue_receipt();
    if (write(*peer)) peer->wire->socket->end_sending();
  }
}

bool World::has_wires() const {
  return std::ranges::any_of(peers_, [](const auto& peer) { return peer->wire != nullptr; });
}

void World::close() {
  is_closed_ = true;
  door_.close();
  for (const auto& peer : peers_)
    peer->wire.reset();
}

}  // namespace gossamer::tls
