#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/message.hpp"
#include "gossamer/base/time.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer {

/// What a node learns from outside.
struct Arrival {
  enum class Kind : std::uint8_t {
    kMessage,
    kAside,     // from the peer's run, not from its algorithm
    kPeerLost,  // nothing will come from this peer any more, unless it comes back
    kPeerBack,  // a peer that was lost can be talked to again; what was under way is gone
    kTimedOut,  // nothing came before the deadline
  };

  Kind kind = Kind::kTimedOut;
  NodeId from = 0;
  Round round = 0;
  Message message;
  /// Of a loss, as half a sentence: "it was silent for 10 s". Empty: it has ended.
  std::string reason = {};
};

/// The reason of a loss whose peer is well, and wants to talk to this node no more.
inline constexpr std::string_view kPartedReason = "it parted from this node";

/// How a message or an aside arrives.
[[nodiscard]] Arrival arrival_of(FrameKind kind, NodeId from, Round round, const Message& message);

/// A peer that cannot be talked to at this moment.
struct Trouble {
  NodeId peer = 0;
  /// How things are, as half a sentence: "its connection was refused".
  std::string reason;
};

/// What a node has sent: frames as they cross the network, header and payload.
struct Traffic {
  std::uint64_t frames = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t header_bytes = 0;
  /// Frames that are not the algorithm's, with their headers; no part of bytes().
  std::uint64_t aside_bytes = 0;

  [[nodiscard]] std::uint64_t bytes() const { return payload_bytes + header_bytes; }

  bool operator==(const Traffic&) const = default;
};

/// The world outside one node: messages and time. One object per node, used by its thread alone.
///
/// Laws, which tests/network holds every implementation to:
///  - Messages of one peer arrive in the order in which they were sent, each once, bit for bit;
///    asides keep their place among them.
///  - send() does not wait for the receiver, and shares the message instead of copying it where
///    memory is shared.
///  - A peer that is gone is reported once, after everything that it sent.
///  - receive() returns at the deadline if nothing came; a deadline in the past is a poll.
///  - traffic() counts every frame sent, and nothing else.
class Network {
 public:
  Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  virtual ~Network() = default;

  [[nodiscard]] virtual NodeId self() const = 0;
  [[nodiscard]] virtual NodeId size() const = 0;

  void send(NodeId to, Round round, const Message& message);

  /// What runs tell each other beside the algorithm: agreements, copies, farewells.
  void send_aside(NodeId to, Round round, const Message& message);

  [[nodiscard]] virtual Arrival receive(Time deadline) = 0;

  // Who can be talked to. Where all nodes are connected from the beginning, which is so unless a
  // network says something else, these two do nothing, and nothing is reported for them.

  /// This node wants to talk to a peer that it was not connected with. One kPeerBack follows when
  /// the link is up, or one kPeerLost after the deadline of links; the network goes on trying, and
  /// a kPeerBack may still come. Nothing follows if the peer is connected, or called already. The
  /// other end need not have asked: it, too, gets a kPeerBack.
  virtual void reach(NodeId peer);

  /// Lets go of a peer: what was sent to it still goes out, what came from it before is still
  /// received, and nothing else of it is, until reach(), or until it calls. This end is not told
  /// of a loss; the other end is, by a kPeerLost whose reason is kPartedReason, and does not call
  /// again by itself.
  virtual void part_from(NodeId peer);

  /// Since the run began.
  [[nodiscard]] virtual Time now() const = 0;

  /// Lets so much time pass for a computation. Moves a virtual clock; does nothing where time is
  /// real, because there the computation itself took it.
  virtual void spend(Duration compute) = 0;

  /// Whether other nodes may run on this thread while this one sends, receives or lets time pass.
  [[nodiscard]] virtual bool shares_thread() const { return false; }

  /// Peers that are not there, and why; empty where peers are always there.
  [[nodiscard]] virtual std::vector<Trouble> troubles() const { return {}; }

  /// What was sent to peers that never came is thrown away: closing does not wait for them.
  virtual void forget_absent() {}

  [[nodiscard]] const Traffic& traffic() const { return traffic_; }

 private:
  /// A kMessage or a kAside.
  virtual void deliver(NodeId to, FrameKind kind, Round round, const Message& message) = 0;

  Traffic traffic_;
};

}  // namespace gossamer
