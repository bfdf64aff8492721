#include "gossamer/hunt/world/fault_links.hpp"

#include <algorithm>
#include <utility>

namespace gossamer {
namespace {

// A caller that is not answered calls again, with pauses that grow to a second.
constexpr Duration kRedial = std::chrono::milliseconds(300);

// Whose bytes still arrive, but who is not heard, is told by the other end's closing: later.
constexpr double kOneWayDetour = 1.4;

}  // namespace

FaultLinks::FaultLinks(const FaultLinksSetup& setup, VirtualClock& clock, Put put)
    : setup_(setup),
      clock_(clock),
      put_(std::move(put)),
      rng_(RngKey{.seed = setup.seed, .purpose = Purpose::kSchedule}),
      hosts_(setup.size),
      ends_(std::size_t{setup.size} * setup.size),
      ways_(std::size_t{setup.size} * setup.size),
      connections_(std::size_t{setup.size} * setup.size, 0) {}

std::size_t FaultLinks::index(NodeId a, NodeId b) const {
  return std::size_t{a} * setup_.size + b;
}

std::uint64_t& FaultLinks::connection(NodeId a, NodeId b) {
  return connections_[index(std::min(a, b), std::max(a, b))];
}

Duration FaultLinks::delay(Duration most) {
  const auto range = static_cast<std::uint32_t>((most - setup_.least_delay).count());
  return setup_.least_delay + Duration(rng_.below(range + 1));
}

void FaultLinks::for_each_peer(NodeId node, const std::function<void(NodeId)>& visit) {
  for (NodeId peer = 0; peer < setup_.size; ++peer) {
    if (peer != node) visit(peer);
  }
}

void FaultLinks::send(NodeId from, NodeId to, const Arrival& frame) {
  if (!end_at(from, to).may_send) return;
  Way& way = way_of(from, to);
  way.under_way.push_back({frame, way.next++});
  most_under_way_ = std::max(most_under_way_, way.under_way.size());
  if (setup_.remembered > 0) {
    remembered_.push_back(frame);
    if (remembered_.size() > setup_.remembered) remembered_.pop_front();
  }
  if (connection(from, to) != 0) schedule(from, to, way.under_way.back());
}

void FaultLinks::schedule(NodeId from, NodeId to, const Frame& frame) {
  Way& way = way_of(from, to);
  const Duration takes = delay(way.is_slow ? setup_.most_slow_delay : setup_.most_delay);
  way.last_arrival = std::max(way.last_arrival, clock_.now() + takes);
  clock_.at(way.last_arrival, [this, from, to, number = frame.number, on = connection(from, to)] {
    deliver(from, to, number, on);
  });
}

// A frame of a connection that broke is sent again on the next.
void FaultLinks::deliver(NodeId from, NodeId to, std::uint64_t number, std::uint64_t on) {
  Way& way = way_of(from, to);
  if (connection(from, to) != on || way.under_way.empty()) return;
  if (way.under_way.front().number != number) return;
  const Arrival arrival = std::move(way.under_way.front().arrival);
  way.under_way.pop_front();
  put_(to, arrival);
}

void FaultLinks::heard_back(NodeId node, NodeId peer) {
  end_at(node, peer).may_send = true;
}

void FaultLinks::started(NodeId node) {
  hosts_[node] = {.is_alive = true, .is_paused = false};
  for_each_peer(node, [&](NodeId peer) {
    way_of(node, peer).under_way.clear();
    way_of(peer, node).under_way.clear();
    end_at(node, peer) = {};
    end_at(node, peer).session = ++drawn_;
    watch(node, peer, setup_.start_deadline, "it has not come");
    connect_later(node, peer);
  });
}

void FaultLinks::killed(NodeId node) {
  hosts_[node].is_alive = false;
  for_each_peer(node, [&](NodeId peer) {
    // Of what it had sent a part was on the other machine already.
    Way& way = way_of(node, peer);
    const bool was_up = connection(node, peer) != 0 && !way.is_cut;
    const auto most = static_cast<std::uint32_t>(way.under_way.size());
    for (auto left = was_up ? rng_.below(most + 1) : 0; left > 0; --left) {
      put_(peer, way.under_way.front().arrival);
      way.under_way.pop_front();
    }
    disconnect(node, peer);
  });
}

void FaultLinks::ended(NodeId node) {
  for_each_peer(node, [&](NodeId peer) {
    if (connection(node, peer) == 0) return;
    // Behind all that it has sent.
    send(node, peer, {.kind = Arrival::Kind::kPeerLost, .from = node, .round = 0, .message = {}});
  });
  hosts_[node].is_alive = false;
  for_each_peer(node, [&](NodeId peer) {
    if (connection(node, peer) == 0) return;
    Way& way = way_of(node, peer);
    for (const Frame& frame : way.under_way)
      put_(peer, frame.arrival);
    way.under_way.clear();
    connection(node, peer) = 0;
    end_at(peer, node).state = State::kLost;
    end_at(peer, node).may_send = false;
    end_at(peer, node).session = ++drawn_;
  });
}

void FaultLinks::paused(NodeId node) {
  hosts_[node].is_paused = true;
  for_each_peer(node, [&](NodeId peer) { disconnect(node, peer); });
}

void FaultLinks::resumed(NodeId node) {
  hosts_[node].is_paused = false;
  for_each_peer(node, [&](NodeId peer) { connect_later(node, peer); });
}

void FaultLinks::cut(NodeId from, NodeId to) {
  way_of(from, to).is_cut = true;
  disconnect(from, to);
}

void FaultLinks::heal(NodeId from, NodeId to) {
  way_of(from, to).is_cut = false;
  connect_later(from, to);
}

bool FaultLinks::can_connect(NodeId a, NodeId b) const {
  const auto is_there = [](const Host& host) { return host.is_alive && !host.is_paused; };
  return is_there(hosts_[a]) && is_there(hosts_[b]) && !way_of(a, b).is_cut && !way_of(b, a).is_cut;
}

void FaultLinks::disconnect(NodeId a, NodeId b) {
  if (connection(a, b) == 0) return;
  connection(a, b) = 0;
  for (const auto& [node, peer] : {std::pair(a, b), std::pair(b, a)}) {
    const bool is_heard = !way_of(peer, node).is_cut && way_of(node, peer).is_cut;
    go_down(node, peer,
            is_heard ? Duration(static_cast<std::int64_t>(
                           kOneWayDetour * static_cast<double>(setup_.deadline.count())))
                     : setup_.deadline);
  }
}

void FaultLinks::go_down(NodeId node, NodeId peer, Duration tolerated) {
  End& end = end_at(node, peer);
  if (!hosts_[node].is_alive || end.state != State::kUp) return;
  end.state = State::kDown;
  watch(node, peer, tolerated, "it was silent for too long");
}

void FaultLinks::watch(NodeId node, NodeId peer, Duration patience, const std::string& reason) {
  const std::uint64_t timer = end_at(node, peer).timer = ++drawn_;
  clock_.after(patience, [this, node, peer, timer, reason] {
    const End& end = end_at(node, peer);
    if (!hosts_[node].is_alive || end.timer != timer || end.state == State::kUp) return;
    if (hosts_[node].is_paused) {
      // Its timers go on when it does.
      watch(node, peer, std::chrono::milliseconds(100), reason);
    } else {
      lose(node, peer, reason);
    }
  });
}

void FaultLinks::lose(NodeId node, NodeId peer, const std::string& reason) {
  End& end = end_at(node, peer);
  if (end.state == State::kLost) return;
  end.state = State::kLost;
  end.may_send = false;
  end.session = ++drawn_;
  // What the other end has under way is its own: it may be of a new process already.
  way_of(node, peer).under_way.clear();
  put_(node, {.kind = Arrival::Kind::kPeerLost,
              .from = peer,
              .round = 0,
              .message = {},
              .reason = reason});
}

void FaultLinks::connect_later(NodeId a, NodeId b) {
  clock_.after(
      delay(setup_.most_delay) + Duration(rng_.below(static_cast<std::uint32_t>(kRedial.count()))),
      [this, a, b] {
        if (connection(a, b) == 0 && can_connect(a, b)) connect(a, b);
      });
}

void FaultLinks::connect(NodeId a, NodeId b) {
  greet(a, b);
  greet(b, a);
  end_at(a, b).known = end_at(b, a).session;
  end_at(b, a).known = end_at(a, b).session;
  connection(a, b) = ++drawn_;
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    for (const Frame& frame : way_of(from, to).under_way)
      schedule(from, to, frame);
  }
}

// One end hears the other's hello.
void FaultLinks::greet(NodeId node, NodeId peer) {
  End& end = end_at(node, peer);
  const bool is_new = end.known != 0 && end.known != end_at(peer, node).session;
  if (is_new && end.state != State::kLost) lose(node, peer, "it has started again");
  if (end.state == State::kLost) {
    put_(node, {.kind = Arrival::Kind::kPeerBack, .from = peer, .round = 0, .message = {}});
  }
  end.state = State::kUp;
  end.timer = 0;
}

}  // namespace gossamer
