#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include "gossamer/network/network.hpp"

namespace gossamer::testing {

/// Thrown inside a node that was killed.
class Killed : public std::runtime_error {
 public:
  Killed() : std::runtime_error("killed") {}
};

/// A network in memory whose edges can be cut and healed, and whose nodes can be killed and started
/// again, as TLS peers see it: what had arrived is still received, what was under way is lost, and
/// both ends of a cut hear of it. What a node sends from a loss on, until it has received the news
/// that the peer is back, goes nowhere. Thread safety: all of it.
class Switchboard {
 public:
  explicit Switchboard(NodeId size, unsigned seed = 0) : random_(seed), nodes_(size) {}

  /// The node's end, alive until it is killed or destroyed. A node that was there before is back.
  [[nodiscard]] std::unique_ptr<Network> plug_in(NodeId id);

  /// Loses the newest of what was sent and not received, a random number of messages each way.
  void cut(NodeId a, NodeId b) {
    const std::lock_guard lock(mutex_);
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      lose_newest(from, to);
      put(to, loss_of(from, "the edge was cut"));
    }
    cut_.emplace_back(std::minmax(a, b));
  }

  void heal(NodeId a, NodeId b) {
    const std::lock_guard lock(mutex_);
    std::erase(cut_, std::pair<NodeId, NodeId>(std::minmax(a, b)));
    put(a, {Arrival::Kind::kPeerBack, b, 0, {}, {}});
    put(b, {Arrival::Kind::kPeerBack, a, 0, {}, {}});
  }

  /// The node's thread ends with Killed the next time it sends or receives.
  void kill(NodeId id) {
    const std::lock_guard lock(mutex_);
    unplug(id, "it was killed");
    nodes_[id].came.notify_all();
  }

 private:
  friend class PluggedIn;

  struct NodeState {
    std::deque<Arrival> inbox;
    std::condition_variable came;
    std::set<NodeId> lost;  // the peers that it cannot talk to
    bool is_alive = false;
    bool was_there = false;
    unsigned incarnation = 0;
  };

  static Arrival loss_of(NodeId id, const char* reason) {
    return {Arrival::Kind::kPeerLost, id, 0, {}, reason};
  }

  void put(NodeId to, Arrival arrival) {
    if (arrival.kind == Arrival::Kind::kPeerLost) nodes_[to].lost.insert(arrival.from);
    nodes_[to].inbox.push_back(std::move(arrival));
    nodes_[to].came.notify_all();
  }

  [[nodiscard]] bool is_cut(NodeId a, NodeId b) const {
    return std::ranges::count(cut_, std::pair<NodeId, NodeId>(std::minmax(a, b))) > 0;
  }

  void lose_newest(NodeId from, NodeId to) {
    std::deque<Arrival>& inbox = nodes_[to].inbox;
    const auto is_from = [from](const Arrival& arrival) { return arrival.from == from; };
    const auto waiting = std::ranges::count_if(inbox, is_from);
    for (auto left = std::uniform_int_distribution<long>(0, waiting)(random_); left > 0; --left) {
      const auto newest = std::find_if(inbox.rbegin(), inbox.rend(), is_from);
      inbox.erase(std::next(newest).base());
    }
  }

  void unplug(NodeId id, const char* reason) {
    if (!nodes_[id].is_alive) return;
    nodes_[id].is_alive = false;
    for (NodeId peer = 0; peer < nodes_.size(); ++peer) {
      if (peer == id || is_cut(id, peer)) continue;
      if (*reason != '\0') lose_newest(id, peer);
      put(peer, loss_of(id, reason));
    }
  }

  std::mutex mutex_;
  std::mt19937 random_;
  std::vector<NodeState> nodes_;
  std::vector<std::pair<NodeId, NodeId>> cut_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class PluggedIn final : public Network {
 public:
  PluggedIn(Switchboard& board, NodeId self, unsigned incarnation)
      : board_(board), self_(self), incarnation_(incarnation) {}

  ~PluggedIn() override {
    const std::lock_guard lock(board_.mutex_);
    if (is_alive()) board_.unplug(self_, "");
  }

  [[nodiscard]] NodeId self() const override { return self_; }

  [[nodiscard]] NodeId size() const override { return static_cast<NodeId>(board_.nodes_.size()); }

  [[nodiscard]] Arrival receive(Time deadline) override {
    std::unique_lock lock(board_.mutex_);
    Switchboard::NodeState& own = board_.nodes_[self_];
    const auto longest = std::chrono::steady_clock::now() + std::chrono::hours(1);
    const auto until = std::min(
        longest,
        board_.start_ + std::min<Duration>(deadline.time_since_epoch(), std::chrono::hours(24)));
    own.came.wait_until(lock, until, [&] { return !is_alive() || !own.inbox.empty(); });
    if (!is_alive()) throw Killed();
    if (own.inbox.empty()) return {};
    Arrival arrival = std::move(own.inbox.front());
    own.inbox.pop_front();
    if (arrival.kind == Arrival::Kind::kPeerBack) own.lost.erase(arrival.from);
    return arrival;
  }

  [[nodiscard]] Time now() const override {
    return Time(
        std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - board_.start_));
  }

  void spend(Duration) override {}

 private:
  [[nodiscard]] bool is_alive() const {
    const Switchboard::NodeState& own = board_.nodes_[self_];
    return own.is_alive && own.incarnation == incarnation_;
  }

  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override {
    const std::lock_guard lock(board_.mutex_);
    if (!is_alive()) throw Killed();
    const bool is_lost = board_.nodes_[self_].lost.contains(to);
    if (board_.nodes_[to].is_alive && !is_lost && !board_.is_cut(self_, to))
      board_.put(to, arrival_of(kind, self_, round, message));
  }

  Switchboard& board_;
  NodeId self_;
  unsigned incarnation_;
};

inline std::unique_ptr<Network> Switchboard::plug_in(NodeId id) {
  const std::lock_guard lock(mutex_);
  NodeState& own = nodes_[id];
  own.inbox.clear();
  own.lost.clear();
  own.is_alive = true;
  ++own.incarnation;
  if (std::exchange(own.was_there, true)) {
    for (NodeId peer = 0; peer < nodes_.size(); ++peer) {
      if (peer != id && nodes_[peer].is_alive) put(peer, {Arrival::Kind::kPeerBack, id, 0, {}, {}});
    }
  }
  return std::make_unique<PluggedIn>(*this, id, own.incarnation);
}

}  // namespace gossamer::testing
