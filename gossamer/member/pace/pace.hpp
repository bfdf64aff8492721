#pragma once

#include <map>
#include <optional>
#include <vector>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/events/event.hpp"

namespace gossamer {

// Who holds a run. Nodes go at one pace, that of the slowest: each of the others waits, but mostly
// for somebody who waits as well. So every few seconds each node tells its neighbours which part of
// its time it waited, and how long the message of each of them was awaited (Pace). A node looks at
// what those say for whom it waits far longer than for the others:
//
//  - it is one, and hardly waits: it computes, and that is the cause;
//  - they wait for nobody but this node: the time goes in between. If they are several, the
//    connection of this node is slow; if it is one, it is the link between the two, or the
//    connection of the one of them that has no other neighbour;
//  - they wait for somebody else: what they have found out, if it is the same, is passed on, one
//    neighbour at a time.
//
// Where all links are equally slow everybody waits for all neighbours alike, and nobody is named.
// Nor is a link where there is no other to compare it with: two nodes, or a star. What others say
// here is believed, because nothing follows from it but a sentence.

/// What holds a run, as a node sees it.
struct Slowness {
  NodeId peer = 0;
  /// SlowPeer::other.
  std::optional<NodeId> other = std::nullopt;
  SlowPeer::Cause cause = SlowPeer::Cause::kLink;
  /// Of its time that the node waits because of it, or that others wait for the node.
  float share = 0.0f;
  /// How many have passed it on. What goes round in a circle ends when it was everywhere.
  NodeId hops = 0;

  /// Whether it is the same that both mean.
  [[nodiscard]] bool is(const Slowness& that) const {
    return peer == that.peer && other == that.other && cause == that.cause;
  }

  bool operator==(const Slowness&) const = default;
};

/// How a node spends its time.
struct Pace {
  /// For one neighbour.
  struct Wait {
    NodeId peer = 0;
    /// Of the node's time, in which this one's message was awaited, perhaps others' too.
    float share = 0.0f;

    bool operator==(const Wait&) const = default;
  };

  /// The part of its time that it waits for anybody.
  float waiting = 0.0f;
  /// One for each that it talks to.
  std::vector<Wait> waits = {};
  /// What it thinks holds the run.
  std::optional<Slowness> cause = std::nullopt;

  /// The share of this one; 0 if the node does not talk to it.
  [[nodiscard]] float share_of(NodeId peer) const;

  /// Whom it waits for most of its time: the one, or several if it waits for them about as long.
  [[nodiscard]] std::vector<NodeId> awaited() const;

  void write(ByteWriter& out) const;
  /// Of a run of so many nodes. Throws CorruptMessage.
  [[nodiscard]] static Pace read(ByteReader& in, NodeId nodes);

  bool operator==(const Pace&) const = default;
};

/// What holds the run of so many nodes by what `self` knows of itself and has heard from others;
/// nothing if it is not clear.
[[nodiscard]] std::optional<Slowness> find_slowness(NodeId self, NodeId nodes, const Pace& own,
                                                    const std::map<NodeId, Pace>& others);

}  // namespace gossamer
