#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "gossamer/base/time.hpp"
#include "gossamer/events/sink.hpp"
#include "gossamer/member/aside.hpp"
#include "gossamer/member/edges/edge_end.hpp"
#include "gossamer/member/edges/live_edges.hpp"
#include "gossamer/network/network.hpp"
#include "gossamer/node/run_side.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {

/// The run cannot go on, and everybody will know why: the sentence.
class RunEnded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// This node is among too few to go on. The others do without it: they are not told to end.
class CutOff : public RunEnded {
 public:
  using RunEnded::RunEnded;
};

/// A run that goes on without the nodes that it loses: which edges this node has, how they end, and
/// what it knows of all others. For constant symmetric graphs and exchanges between neighbours.
///
/// An edge ends at both ends before the same exchange (EdgeEnd); what it weighed goes to its two
/// ends, so that W stays symmetric and doubly stochastic. Who cannot be reached any more is dead or
/// cut off; nobody can tell which. So those who reach each other go on if they are more than half
/// of those who did before, and stop if not: a run never goes on in two parts.
class Membership final : public Edges {
 public:
  struct Setup {
    Network& network;
    const Topology& topology;
    /// How long the other end of a broken edge may take to settle before it counts as gone.
    Duration grace;
    /// Told of each edge that ends or comes back at this node. Must outlive it.
    const EventSource& events;
  };

  /// A message that arrived by another way.
  using Deliver = std::function<void(NodeId from, const Message&)>;

  Membership(const Setup& setup, Deliver deliver);

  /// Whether the whole graph has an edge to this node.
  [[nodiscard]] bool is_neighbour(NodeId peer) const { return own_.contains(peer); }

  [[nodiscard]] bool has(NodeId peer) const override { return !end_of(peer).is_gone(); }

  [[nodiscard]] bool is_live(NodeId peer) const override { return end_of(peer).is_live(); }

  void note_sent(NodeId peer, const Message& message) override { end_of(peer).note_sent(message); }

  [[nodiscard]] bool note_arrived(NodeId peer) override;

  void note_taken(NodeId peer) override { end_of(peer).note_taken(); }

  [[nodiscard]] Next next(NodeId peer) const override { return end_of(peer).next(); }

  [[nodiscard]] std::optional<Time> settled_at_latest(NodeId peer) const override;

  void settle_alone(NodeId peer) override { end_of(peer).settle_alone(); }

  /// Tells everybody. Throws CutOff as hear().
  void lose(NodeId peer, Round round, const std::string& reason) override;

  /// An aside of kind kLoss or kRestored. Throws CutOff if too few are left.
  void hear(const Aside& aside);

  void leave(NodeId peer, Round round) override;

  /// Both ends have each other's state again, and begin with exchange 0.
  void restore(NodeId peer, Round round, LiveEdges::Generation generation);

  [[nodiscard]] const LiveEdges& edges() const { return edges_; }

  /// How many edges this node has lost.
  [[nodiscard]] std::uint64_t losses() const { return losses_; }

  /// Of a node that joins a run: all its edges have yet to come back.
  void begin_alone();

  /// What a node that was away did not hear.
  void catch_up(const std::map<NodePair, LiveEdges::Generation>& changes);

  /// To all whose edges are live, but for one.
  void tell_all(Round round, const Message& aside, std::optional<NodeId> but = std::nullopt);

 private:
  struct OwnEdge {
    EdgeEnd end;
    Time lost_at{};
    std::string reason;
  };

  [[nodiscard]] EdgeEnd& end_of(NodeId peer) { return own_.at(peer).end; }

  [[nodiscard]] const EdgeEnd& end_of(NodeId peer) const { return own_.at(peer).end; }

  void settle(const LossRecord& theirs);
  void settle_with_the_unreachable();
  [[nodiscard]] NodeId count_members() const;
  void expect_majority();

  Network& network_;
  Duration grace_;
  const EventSource& events_;
  Deliver deliver_;
  LiveEdges edges_;
  /// How many nodes the run has, as far as this one knows.
  NodeId members_;
  std::uint64_t losses_ = 0;
  std::map<NodeId, OwnEdge> own_;  // by the other end
  /// Who gave up on whom, in which generation: each is told on once.
  std::set<std::tuple<NodeId, NodeId, LiveEdges::Generation>> heard_;
};

}  // namespace gossamer
