#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/message.hpp"
#include "gossamer/base/time.hpp"
#include "gossamer/network/network.hpp"

namespace gossamer {

/// The edges of one node, in a run that goes on without neighbours that it loses. Messages over an
/// edge are counted at both ends, so that both end it before the same exchange.
class Edges {
 public:
  enum class Next : std::uint8_t {
    kTake,  // a message that came, or was repeated
    kWait,  // it has to come, or both ends have to settle
    kOver,  // the edge has ended before this exchange
  };

  Edges() = default;
  Edges(const Edges&) = delete;
  Edges& operator=(const Edges&) = delete;
  virtual ~Edges() = default;

  /// Whether the edge to this neighbour is part of W.
  [[nodiscard]] virtual bool has(NodeId peer) const = 0;

  /// Whether messages go over it.
  [[nodiscard]] virtual bool is_live(NodeId peer) const = 0;

  virtual void note_sent(NodeId peer, const Message& message) = 0;

  /// Whether it still counts: an edge that was given up takes no more.
  [[nodiscard]] virtual bool note_arrived(NodeId peer) = 0;

  virtual void note_taken(NodeId peer) = 0;

  /// What a gather has to do about this neighbour.
  [[nodiscard]] virtual Next next(NodeId peer) const = 0;

  /// Since when a neighbour has kept this node waiting, of a wait that began then: while the run is
  /// busy with its members nobody is late.
  [[nodiscard]] virtual Time patient_since(Time since) const = 0;

  /// This neighbour cannot be reached any more, for a reason that is half a sentence.
  virtual void lose(NodeId peer, Round round, const std::string& reason) = 0;

  /// The edge has ended before this exchange: the neighbour is no part of the row any more.
  virtual void leave(NodeId peer, Round round) = 0;
};

/// What a run does beneath its node, unseen by the algorithm: it hears all that is not the
/// algorithm's, and decides which edges there are. Called on the node's thread, also in the midst
/// of a round; what it throws ends the round.
class RunSide {
 public:
  RunSide() = default;
  RunSide(const RunSide&) = delete;
  RunSide& operator=(const RunSide&) = delete;
  virtual ~RunSide() = default;

  /// An aside, or news of a peer: kAside, kPeerLost, kPeerBack.
  virtual void hear(Arrival arrival) = 0;

  /// Whether, and when, tick() is to be called while the node waits.
  [[nodiscard]] virtual Time due() const { return Time::max(); }

  virtual void tick() {}

  /// Nothing where a lost neighbour ends the run.
  [[nodiscard]] virtual Edges* edges() { return nullptr; }
};

}  // namespace gossamer
