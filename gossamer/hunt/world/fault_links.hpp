#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/base/rng.hpp"
#include "gossamer/hunt/world/virtual_clock.hpp"
#include "gossamer/network/network.hpp"

namespace gossamer {

/// How links behave, in virtual time.
struct FaultLinksSetup {
  NodeId size = 0;
  std::uint64_t seed = 0;
  /// How long a link may be down before its peer is lost.
  Duration deadline = std::chrono::seconds(3);
  /// How long a peer may take to come the first time.
  Duration start_deadline = std::chrono::seconds(60);
  /// Of each frame, drawn anew: frames of one link keep their order, those of different links do
  /// not.
  Duration least_delay = std::chrono::milliseconds(1);
  Duration most_delay = std::chrono::milliseconds(20);
  /// And of a link that is slow.
  Duration most_slow_delay = std::chrono::milliseconds(700);
  /// How many of the frames sent last are kept for those who forge.
  std::size_t remembered = 0;
};

/// The links between all nodes of a world, as docs/links.md says that TLS peers have them, without
/// sockets: a link that is down and up again within the deadline loses nothing; a peer that is
/// down for longer is lost, with all that was under way; one that has started again is lost and
/// back; one that ends says goodbye behind all that it has sent.
///
/// What a node is told goes into its inbox, by `put`.
class FaultLinks {
 public:
  using Put = std::function<void(NodeId to, Arrival arrival)>;

  FaultLinks(const FaultLinksSetup& setup, VirtualClock& clock, Put put);

  // What nodes do.

  void send(NodeId from, NodeId to, const Arrival& frame);
  /// The node has read that this peer is back: from now on it can send to it again.
  void heard_back(NodeId node, NodeId peer);

  // What becomes of nodes.

  /// A process has started, perhaps in the place of one that was there before.
  void started(NodeId node);
  /// Without a word: of what it had sent a part arrives.
  void killed(NodeId node);
  /// With a goodbye.
  void ended(NodeId node);
  /// Its process stands still, and with it its timers.
  void paused(NodeId node);
  void resumed(NodeId node);

  /// Nothing goes this way any more.
  void cut(NodeId from, NodeId to);
  void heal(NodeId from, NodeId to);

  /// What goes this way takes long from now on, or no longer.
  void slow(NodeId from, NodeId to, bool is_slow) { way_of(from, to).is_slow = is_slow; }

  /// Whether both are there, and nothing between them is cut.
  [[nodiscard]] bool can_connect(NodeId a, NodeId b) const;

  /// Frames that were sent last, by whomever.
  [[nodiscard]] const std::deque<Arrival>& remembered() const { return remembered_; }

  /// The most frames that were ever under way between two nodes.
  [[nodiscard]] std::size_t most_under_way() const { return most_under_way_; }

 private:
  enum class State : std::uint8_t {
    kNever,  // not up since the process started
    kUp,
    kDown,
    kLost,
  };

  /// One end of a link, as its process sees it.
  struct End {
    State state = State::kNever;
    std::uint64_t session = 0;  // drawn when it starts, and when it gives its peer up
    std::uint64_t known = 0;    // the other end's session; 0: never heard of
    std::uint64_t timer = 0;    // the one that counts
    bool may_send = true;
  };

  struct Frame {
    Arrival arrival;
    std::uint64_t number = 0;
  };

  /// What goes from one end to the other.
  struct Way {
    std::deque<Frame> under_way;
    std::uint64_t next = 0;
    Time last_arrival{};
    bool is_cut = false;
    bool is_slow = false;
  };

  struct Host {
    bool is_alive = false;
    bool is_paused = false;
  };

  [[nodiscard]] End& end_at(NodeId node, NodeId peer) { return ends_[index(node, peer)]; }

  [[nodiscard]] Way& way_of(NodeId from, NodeId to) { return ways_[index(from, to)]; }

  [[nodiscard]] const Way& way_of(NodeId from, NodeId to) const { return ways_[index(from, to)]; }

  [[nodiscard]] std::uint64_t& connection(NodeId a, NodeId b);
  [[nodiscard]] std::size_t index(NodeId a, NodeId b) const;
  [[nodiscard]] Duration delay(Duration most);
  void schedule(NodeId from, NodeId to, const Frame& frame);
  void deliver(NodeId from, NodeId to, std::uint64_t number, std::uint64_t connection);
  void disconnect(NodeId a, NodeId b);
  void connect_later(NodeId a, NodeId b);
  void connect(NodeId a, NodeId b);
  void greet(NodeId node, NodeId peer);
  void go_down(NodeId node, NodeId peer, Duration tolerated);
  void watch(NodeId node, NodeId peer, Duration patience, const std::string& reason);
  void lose(NodeId node, NodeId peer, const std::string& reason);
  void for_each_peer(NodeId node, const std::function<void(NodeId)>& visit);

  FaultLinksSetup setup_;
  VirtualClock& clock_;
  Put put_;
  Rng rng_;
  std::vector<Host> hosts_;
  std::vector<End> ends_;                   // of (node, peer)
  std::vector<Way> ways_;                   // of (from, to)
  std::vector<std::uint64_t> connections_;  // of (lower, higher): 0: there is none
  std::deque<Arrival> remembered_;
  std::size_t most_under_way_ = 0;
  std::uint64_t drawn_ = 0;
};

}  // namespace gossamer
