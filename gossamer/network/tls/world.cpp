#include "gossamer/network/tls/world.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace gossamer::tls {
namespace {

constexpr Clock::duration kFirstDialPause = std::chrono::milliseconds(10);
constexpr Clock::duration kLongestDialPause = std::chrono::seconds(1);

double elapsed_seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

}  // namespace

World::World(EventLoop& loop, const TlsSetup& setup, std::optional<Credentials> credentials,
             EventSource events)
    : loop_(loop),
      setup_(setup),
      events_(std::move(events)),
      door_(loop, *this, setup, std::move(credentials)) {
  std::random_device device;
  std::seed_seq seed{device(), device(), device(), device()};
  random_.seed(seed);
  for (const TlsPeer& place : setup.peers) {
    peers_.push_back(std::make_unique<Peer>(place, setup.self, setup.run));
    peers_.back()->session = draw_session();
  }
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

Hello World::hello_for(NodeId peer) const {
  const Peer& to = *find(peer);
  return {.purpose = setup_.purpose,
          .session = to.session,
          .peer_session = to.peer_session,
          .next = to.link.expected()};
}

void World::admit(std::unique_ptr<Wire> wire, NodeId node, const Hello& hello, Side side) {
  Peer& peer = peer_of(node);
  const bool is_new = peer.peer_session != 0 && hello.session != peer.peer_session;
  // What it was to get was for another life of its.
  if (is_ending_ && is_new && !peer.wire) lose(peer, "it started anew");
  if (is_ending_ && owes_nothing(peer)) return;
  if (side == Side::kDialled && wire->announced_session != peer.session) {
    // It was given up while it took its time to answer; what it was told does not hold any more.
    return dial_failed(node, "it answered too late");
  }
  if (const Result<void> agreed = agree(peer, *wire, hello, side); !agreed) {
    door_.tell_refused(*wire, agreed.error().message);
    if (side == Side::kDialled) {
      dial_failed(node, fmt::format("it was refused ({})", agreed.error().message));
    }
    return;
  }
  attach(peer, std::move(wire), side);
}

// Compares sessions, and goes on where the last connection ended, or starts the link anew.
Result<void> World::agree(Peer& peer, const Wire& wire, const Hello& hello, Side side) {
  if (hello.session != peer.peer_session && peer.wire) {
    // Perhaps its last words are still unread.
    read_on(peer);
  }
  const bool is_same = hello.session == peer.peer_session;
  if (!is_same && peer.wire && !peer.is_lost) {
    // A peer that was killed has no connection any more, and one whose machine stopped will soon be
    // found silent: then it is let in. This is somebody else with its key.
    return Error{fmt::format("it says that it is node {}, which is connected from {}",
                             peer.place.id, peer.wire->socket->address())};
  }
  if (peer.wire) drop_wire(peer, "it called again");
  if (is_same) {
    // A caller that never got our hello counts from the beginning.
    return peer.link.resume(hello.peer_session == peer.session ? hello.next : 0);
  }
  if (peer.peer_session != 0 && !peer.is_lost) lose(peer, "it started anew");
  // The other end knows us by the session that this connection began with.
  if (side == Side::kDialled) peer.session = wire.announced_session;
  peer.peer_session = hello.session;
  if (peer.is_lost) {
    peer.link.restart();
    peer.is_lost = false;
    tell(peer, Arrival::Kind::kPeerBack, "");
    events_.emit(last_round_, PeerBack{peer.place.id});
  }
  return peer.link.resume(0);
}

void World::attach(Peer& peer, std::unique_ptr<Wire> wire, Side side) {
  if (peer.was_up && peer.unheard_news == 0) {
    events_.emit(last_round_, LinkUp{peer.place.id, elapsed_seconds(peer.last_heard)});
  }
  peer.wire = std::move(wire);
  peer.wire->keeper = this;
  if (side == Side::kAccepted) peer.wire->connection.queue_hello(hello_for(peer.place.id));
  peer.was_up = true;
  ++peer.connections;
  const Clock::time_point now = Clock::now();
  peer.last_heard = now;
  peer.dial_pause = kFirstDialPause;
  peer.asked_heartbeat = 0;
  peer.next_heartbeat = now;
  peer.is_paused = false;
  tick_up(peer, now);
  if (peer.wire) read_on(peer);
}

void World::drop_wire(Peer& peer, const std::string& reason) {
  const Stream& stream = peer.wire->connection.stream();
  peer.bytes_sent += stream.bytes_sent();
  peer.bytes_received += stream.bytes_received();
  // Its silence was our doing.
  if (peer.is_paused) peer.last_heard = Clock::now();
  peer.wire.reset();
  if (peer.is_lost) peer.link.restart();
  peer.is_paused = false;
  peer.receipt_due = Clock::time_point::max();
  peer.trouble = peer.fault.empty() ? reason : fmt::format("it was refused ({})", peer.fault);
  peer.fault.clear();
  peer.fault_stays = false;
  // One that said goodbye does not answer: it is called only to see whether it starts again.
  peer.next_dial = Clock::now() + (peer.is_lost ? kLongestDialPause : Clock::duration{});
  wake_by(peer.next_dial);
  if (!peer.is_lost && !is_ending_) events_.emit(last_round_, LinkDown{peer.place.id, reason});
}

// Empty reason: it has ended, and its connection stays until it closes it.
void World::lose(Peer& peer, const std::string& reason) {
  if (peer.wire && !reason.empty()) drop_wire(peer, reason);
  peer.is_lost = true;
  if (peer.wire) {
    peer.link.forget_unconfirmed();
  } else {
    peer.link.restart();
  }
  peer.peer_session = 0;
  peer.session = draw_session();
  tell(peer, Arrival::Kind::kPeerLost, reason);
  if (!reason.empty()) events_.emit(last_round_, PeerLost{peer.place.id, reason});
}

void World::tell(Peer& peer, Arrival::Kind news, const std::string& reason) {
  ++peer.unheard_news;
  inbox_.push({.kind = news, .from = peer.place.id, .message = {}, .reason = reason});
}

void World::dial_failed(NodeId node, const std::string& reason) {
  Peer& peer = peer_of(node);
  peer.trouble = reason;
  // Nodes that lost the same peer do not all call it at the same moments.
  std::uniform_real_distribution<double> jitter(0.5, 1.0);
  peer.next_dial =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(peer.dial_pause * jitter(random_));
  peer.dial_pause = std::min(2 * peer.dial_pause, kLongestDialPause);
  wake_by(peer.next_dial);
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
  for (const auto& peer : peers_) {
    if (peer->wire) {
      tick_up(*peer, now);
    } else {
      tick_down(*peer, now);
    }
  }
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
  if (!peer.is_lost) {
    const Clock::time_point until =
        peer.was_up ? peer.last_heard + setup_.deadline : opened_ + setup_.start_deadline;
    if (now >= until) {
      lose(peer, fmt::format("{} for {:.1f} s", peer.trouble,
                             elapsed_seconds(peer.was_up ? peer.last_heard : opened_)));
    } else {
      wake_by(until);
    }
  }
  if (is_ending_ && owes_nothing(peer)) return;
  // Of two nodes the one with the higher id calls, so that they do not both.
  if (peer.place.id > setup_.self || door_.is_dialling(peer.place.id)) return;
  if (now >= peer.next_dial) {
    door_.dial(peer.place);
  } else {
    wake_by(peer.next_dial);
  }
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
