// The part of World that brings links up and lets them go: which call counts, who is lost or back.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gossamer/network/tls/world.hpp"

namespace gossamer::tls {
namespace {

constexpr Clock::duration kFirstDialPause = std::chrono::milliseconds(10);
constexpr Clock::duration kLongestDialPause = std::chrono::seconds(1);
constexpr Clock::duration kLongestStandBack = std::chrono::milliseconds(200);

double elapsed_seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

}  // namespace

Hello World::hello_to(const Peer& peer) const {
  return {.purpose = setup_.purpose,
          .session = peer.session,
          .peer_session = peer.peer_session,
          .next = peer.link.expected(),
          .call = 0,
          .taken = peer.calls.taken()};
}

Hello World::call_hello(NodeId node) {
  Peer& peer = peer_of(node);
  Hello hello = hello_to(peer);
  hello.call = peer.calls.begin();
  return hello;
}

void World::admit(std::unique_ptr<Wire> wire, NodeId node, const Hello& hello, Side side) {
  Peer& peer = peer_of(node);
  if (peer.farewell && hello.session == peer.farewell->peer_session) {
    if (side == Side::kDialled) return dial_failed(node, "it has ended");
    // It has said goodbye, and missed our receipt.
    wire->connection.queue_hello(*peer.farewell);
    (void)wire->send(nullptr);
    return;
  }
  const bool is_new = peer.peer_session != 0 && hello.session != peer.peer_session;
  // What it was to get was for another life of its.
  if (is_ending_ && is_new && !peer.wire) lose(peer, "it started anew");
  if (is_ending_ && owes_nothing(peer)) return;
  if (side == Side::kDialled && wire->announced_session != peer.session) {
    // It was given up while it took its time to answer; what it was told does not hold any more.
    return dial_failed(node, "it answered too late");
  }
  if (side == Side::kAccepted) {
    wire->call = hello.call;
    // Both called at once, or it has given this call up: its other call is or will be the link.
    if (is_stale(peer, hello)) return;
  }
  if (const Result<void> agreed = agree(peer, hello, side); !agreed) {
    door_.tell_refused(*wire, agreed.error().message);
    if (side == Side::kDialled) {
      dial_failed(node, fmt::format("it was refused ({})", agreed.error().message));
    }
    return;
  }
  if (side == Side::kAccepted) {
    peer.calls.take(wire->call);
    const bool may_be_answered =
        door_.awaits_answer(node) && peer.calls.awaits_answer(known_taken(peer, hello));
    if (!may_be_answered) door_.hang_up(node);
  } else {
    peer.calls.be_answered(wire->call);
  }
  attach(peer, std::move(wire), side);
}

// How many of our calls it had taken, of this life of ours.
std::uint64_t World::known_taken(const Peer& peer, const Hello& hello) {
  return hello.peer_session == peer.session ? hello.taken : 0;
}

bool World::is_stale(const Peer& peer, const Hello& hello) {
  return hello.session == peer.peer_session &&
         !peer.calls.is_fresh(hello.call, known_taken(peer, hello));
}

// Compares sessions, and goes on where the last connection ended, or starts the link anew.
Result<void> World::agree(Peer& peer, const Hello& hello, Side side) {
  if (hello.session != peer.peer_session && peer.wire) {
    // Perhaps its last words are still unread.
    read_on(peer);
  }
  const bool is_same = hello.session == peer.peer_session;
  if (!is_same && peer.wire && !peer.is_lost && !peer.is_parting) {
    // A peer that was killed has no connection any more, and one whose machine stopped will soon be
    // found silent: then it is let in. This is somebody else with its key.
    return Error{fmt::format("it says that it is node {}, which is connected from {}",
                             peer.place.id, peer.wire->socket->address())};
  }
  if (peer.wire && side == Side::kDialled) {
    // Calls crossed. It has taken ours, and given up its own, which was the wire for a moment.
    put_down(peer);
    --peer.connections;
  } else if (peer.wire) {
    drop_wire(peer, "it called again");
  }
  if (is_same) {
    // A caller that never got our hello counts from the beginning.
    return peer.link.resume(hello.peer_session == peer.session ? hello.next : 0);
  }
  if (peer.peer_session != 0 && !peer.is_lost) {
    const std::uint64_t announced = peer.session;
    lose(peer, "it started anew");
    // The other end may know us by the session that a call of ours has named.
    if (side == Side::kDialled || door_.awaits_answer(peer.place.id)) peer.session = announced;
  }
  peer.peer_session = hello.session;
  if (peer.is_lost) {
    peer.link.restart();
    peer.is_lost = false;
    peer.reached_at.reset();
    if (peer.is_told_lost) events_.emit(last_round_, PeerBack{peer.place.id});
    tell(peer, Arrival::Kind::kPeerBack, "");
  }
  return peer.link.resume(0);
}

void World::attach(Peer& peer, std::unique_ptr<Wire> wire, Side side) {
  if (std::exchange(peer.is_told_down, false) && peer.unheard_news == 0) {
    events_.emit(last_round_, LinkUp{peer.place.id, elapsed_seconds(peer.last_heard)});
  }
  peer.wire = std::move(wire);
  peer.wire->keeper = this;
  if (side == Side::kAccepted) peer.wire->connection.queue_hello(hello_to(peer));
  peer.was_up = true;
  ++peer.connections;
  const Clock::time_point now = Clock::now();
  last_linked_ = now;
  peer.last_heard = now;
  peer.dial_pause = kFirstDialPause;
  peer.asked_heartbeat = 0;
  peer.next_heartbeat = now;
  peer.is_paused = false;
  tick_up(peer, now);
  if (peer.wire) read_on(peer);
}

// The connection is over; the link may go on with another one at once.
void World::put_down(Peer& peer) {
  const Stream& stream = peer.wire->connection.stream();
  peer.bytes_sent += stream.bytes_sent();
  peer.bytes_received += stream.bytes_received();
  // Its silence was our doing.
  if (peer.is_paused) peer.last_heard = Clock::now();
  peer.wire.reset();
  peer.is_paused = false;
  peer.receipt_due = Clock::time_point::max();
}

void World::drop_wire(Peer& peer, const std::string& reason) {
  put_down(peer);
  if (peer.is_lost) peer.link.restart();
  peer.trouble = peer.fault.empty() ? reason : fmt::format("it was refused ({})", peer.fault);
  peer.fault.clear();
  peer.fault_stays = false;
  // One that said goodbye does not answer: it is called only to see whether it starts again.
  peer.next_dial = Clock::now() + (peer.is_lost ? kLongestDialPause : stand_back(peer));
  wake_by(peer.next_dial);
  if (door_.awaits_answer(peer.place.id)) {
    // Calls crossed, and it has given up this one for ours, whose answer is on its way.
    --peer.connections;
  } else {
    tell_down(peer, reason);
  }
}

void World::tell_down(Peer& peer, const std::string& reason) {
  if (peer.is_lost || peer.is_parting || is_ending_ || !peer.was_up || peer.is_told_down) return;
  peer.is_told_down = true;
  events_.emit(last_round_, LinkDown{peer.place.id, reason});
}

// Forgets all that was said. A connection stays, and leads nowhere, until the other end closes it.
void World::give_up(Peer& peer) {
  peer.is_lost = true;
  peer.is_parting = false;
  if (peer.wire) {
    peer.link.forget_unconfirmed();
  } else {
    peer.link.restart();
  }
  peer.peer_session = 0;
  peer.session = draw_session();
  peer.calls.forget();
}

// Empty reason: it has ended, and closes the connection itself.
void World::lose(Peer& peer, const std::string& reason) {
  if (peer.wire && !reason.empty()) drop_wire(peer, reason);
  const bool is_missed = !peer.is_parting;
  give_up(peer);
  if (!is_missed) return;
  tell(peer, Arrival::Kind::kPeerLost, reason);
  if (!reason.empty()) events_.emit(last_round_, PeerLost{peer.place.id, reason});
}

void World::tell(Peer& peer, Arrival::Kind news, const std::string& reason) {
  ++peer.unheard_news;
  peer.is_told_lost = news == Arrival::Kind::kPeerLost;
  inbox_.push({.kind = news, .from = peer.place.id, .message = {}, .reason = reason});
}

bool World::has_linked_since(Clock::time_point time) const {
  return last_linked_ >= time;
}

void World::dial_failed(NodeId node, const std::string& reason) {
  Peer& peer = peer_of(node);
  if (peer.wire) return;  // it called us in the meantime
  peer.trouble = reason;
  tell_down(peer, reason);
  // Nodes that lost the same peer do not all call it at the same moments.
  std::uniform_real_distribution<double> jitter(0.5, 1.0);
  peer.next_dial =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(peer.dial_pause * jitter(random_));
  peer.dial_pause = std::min(2 * peer.dial_pause, kLongestDialPause);
  wake_by(peer.next_dial);
}

// Both ends call. The lower id gives the higher one a moment, so that their calls seldom cross.
Clock::duration World::stand_back(const Peer& peer) const {
  if (setup_.self > peer.place.id) return {};
  return std::min(heartbeat_pause(), kLongestStandBack);
}

void World::reach(Peer& peer) {
  if (std::exchange(peer.is_wanted, true)) return;
  if (!peer.is_lost && !peer.is_parting) return;  // it has called already
  peer.reached_at = Clock::now();
  peer.trouble = "it did not come";
  peer.dial_pause = kFirstDialPause;
  peer.next_dial = *peer.reached_at + stand_back(peer);
  wake_by(peer.next_dial);
}

void World::call(Peer& peer, Clock::time_point now) {
  // A conversation is taken up again by both ends; else those are called whom the node wants.
  if (peer.is_lost && !peer.is_wanted) return;
  if (is_ending_ && owes_nothing(peer)) return;
  if (door_.is_dialling(peer.place.id)) return;
  if (now >= peer.next_dial) {
    door_.dial(peer.place);
  } else {
    wake_by(peer.next_dial);
  }
}

}  // namespace gossamer::tls
