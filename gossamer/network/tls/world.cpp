#include "gossamer/network/tls/world.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace gossamer::tls {
namespace {

// How long somebody may still be talked to after its revocation.
constexpr Clock::duration kRevocationPause = std::chrono::seconds(2);

double elapsed_seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

}  // namespace

World::World(EventLoop& loop, const TlsSetup& setup, std::optional<Credentials> credentials,
             EventSource events)
    : loop_(loop),
      setup_(setup),
      events_(std::move(events)),
      revocations_(credentials ? std::optional(credentials->revocations()) : std::nullopt),
      door_(loop, *this, setup, std::move(credentials)) {
  std::random_device device;
  std::seed_seq seed{device(), device(), device(), device()};
  random_.seed(seed);
  for (const TlsPeer& place : setup.peers)
    meet(place, false);
  for (const TlsPeer& place : setup.reserves)
    meet(place, true);
}

// A reserve is as one that was lost, of which nobody was told, and that nobody wants.
void World::meet(const TlsPeer& place, bool is_reserve) {
  Peer& peer = *peers_.emplace_back(std::make_unique<Peer>(place, setup_.self, setup_.run));
  peer.session = draw_session();
  peer.next_dial += stand_back(peer);
  peer.is_reserve = peer.is_lost = is_reserve;
  peer.is_wanted = !is_reserve;
}

void World::open(int listening_descriptor) {
  loop_.on_alarm([this] {
    alarm_ = Clock::time_point::max();
    tick();
  });
  door_.listen(listening_descriptor);
  tick();
}

Peer* World::find(NodeId node) const {
  const auto found =
      std::ranges::find(peers_, node, [](const auto& peer) { return peer->place.id; });
  return found == peers_.end() ? nullptr : found->get();
}

Peer& World::peer_of(NodeId node) {
  Peer* const peer = find(node);
  expects(peer != nullptr, "a message goes to a peer of this node");
  return *peer;
}

Peer& World::peer_on(const Wire& wire) {
  return **std::ranges::find(peers_, &wire, [](const auto& peer) { return peer->wire.get(); });
}

bool World::is_peer(NodeId node) const {
  return find(node) != nullptr;
}

void World::wake_by(Clock::time_point time) {
  if (time >= alarm_) return;
  alarm_ = time;
  loop_.set_alarm(time);
}

void World::tick() {
  if (is_closed_) return;
  const Clock::time_point now = Clock::now();
  door_.tick(now);
  if (revocations_ && revocations_->is_watched()) {
    if (now >= next_look_) {
      next_look_ = now + kRevocationPause;
      look_for_revocations();
    }
    wake_by(next_look_);
  }
  for (const auto& peer : peers_) {
    if (peer->wire) {
      tick_up(*peer, now);
    } else {
      tick_down(*peer, now);
    }
  }
}

void World::look_for_revocations() {
  const Result<bool> is_new = revocations_->look();
  if (!is_new) events_.emit(last_round_, Warned{is_new.error().message});
  if (!is_new || !is_new.value()) return;
  for (const auto& peer : peers_) {
    if (!peer->wire) continue;
    const std::string serial = peer->wire->connection.stream().certified_serial();
    if (!revocations_->list().has(serial)) continue;
    if (peer->is_lost) {
      drop_wire(*peer, std::string(kRevokedReason));
    } else {
      lose(*peer, std::string(kRevokedReason));
    }
  }
}

bool World::is_revoked(const std::string& serial) {
  if (!revocations_) return false;
  look_for_revocations();
  return revocations_->list().has(serial);
}

void World::tick_up(Peer& peer, Clock::time_point now) {
  const Clock::time_point silent_at = peer.last_heard + tolerated_silence(peer);
  if (!peer.is_paused && now >= silent_at) {
    // It may have spoken while this process was asleep.
    read_on(peer);
    if (!peer.wire) return;
    if (now >= peer.last_heard + tolerated_silence(peer)) return drop_wire(peer, "it was silent");
  }
  if (now >= peer.next_heartbeat) {
    const std::uint64_t number = peer.wire->connection.queue_heartbeat();
    if (peer.asked_heartbeat == 0) {
      peer.asked_heartbeat = number;
      peer.asked_at = now;
    }
    peer.next_heartbeat = now + heartbeat_pause();
  }
  if (now >= peer.receipt_due) peer.wire->connection.queue_receipt();
  if (!write(peer)) return;
  wake_by(std::min(peer.next_heartbeat, peer.receipt_due));
  if (!peer.is_paused) wake_by(peer.last_heard + tolerated_silence(peer));
}

void World::tick_down(Peer& peer, Clock::time_point now) {
  // The connection broke with the last words.
  if (peer.is_parting && peer.link.all_confirmed()) lose(peer, "");
  if (!peer.is_lost) {
    const Clock::time_point until =
        peer.was_up ? peer.last_heard + setup_.deadline : opened_ + setup_.start_deadline;
    if (now >= until) {
      // A call under way has said what does not hold any more.
      door_.hang_up(peer.place.id);
      lose(peer, fmt::format("{} for {:.1f} s", peer.trouble,
                             elapsed_seconds(peer.was_up ? peer.last_heard : opened_)));
    } else {
      wake_by(until);
    }
  } else if (peer.reached_at) {
    const Clock::time_point until = *peer.reached_at + setup_.deadline;
    if (now >= until) {
      const std::string reason =
          fmt::format("{} for {:.1f} s", peer.trouble, elapsed_seconds(*peer.reached_at));
      peer.reached_at.reset();
      tell(peer, Arrival::Kind::kPeerLost, reason);
      events_.emit(last_round_, PeerLost{peer.place.id, reason});
    } else {
      wake_by(until);
    }
  }
  call(peer, now);
}

Clock::duration World::heartbeat_pause() const {
  return std::clamp<Clock::duration>(setup_.deadline / 10, std::chrono::milliseconds(5),
                                     std::chrono::seconds(1));
}

// Long enough for a link that is slow to answer, and short enough to call again before the
// deadline.
Clock::duration World::tolerated_silence(const Peer& peer) const {
  const Clock::duration usual = 3 * heartbeat_pause() + peer.round_trip.longest();
  return std::clamp<Clock::duration>(usual, setup_.deadline / 2, setup_.deadline);
}

std::uint64_t World::draw_session() {
  for (;;) {
    if (const std::uint64_t session = random_(); session != 0) return session;
  }
}

void World::caller_refused(const CallerRefused& refused) {
  events_.emit(last_round_, refused);
}

}  // namespace gossamer::tls
