#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "gossamer/base/time.hpp"
#include "gossamer/events/sink.hpp"
#include "gossamer/member/aside.hpp"
#include "gossamer/member/edges/edge_end.hpp"
#include "gossamer/member/views/assembly.hpp"
#include "gossamer/network/network.hpp"
#include "gossamer/node/node.hpp"
#include "gossamer/node/run_side.hpp"
#include "gossamer/node/state_visitor.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {

/// The run cannot go on for this node: the sentence says why.
class RunEnded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The others went on without this node, which may join them again.
class CutOff : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A run that goes on without the nodes that it loses: which edges this node has, and how they end.
/// Who is part of the run is the Assembly's. docs/membership.md is the design of both. For constant
/// symmetric graphs and exchanges between neighbours.
///
/// An edge ends at both ends before the same exchange (EdgeEnd); what it weighed goes to its two
/// ends, so that W stays symmetric and doubly stochastic.
class Membership final : public Edges {
 public:
  struct Setup {
    Network& network;
    const Topology& topology;
    OnPartition on_partition = OnPartition::kStop;
    /// After how long a link that is down has lost its peer.
    Duration deadline = std::chrono::seconds(10);
    /// How long a neighbour may keep this node waiting.
    Duration patience = std::chrono::minutes(5);
    /// For how long this node waits for a majority.
    Duration rejoin_for = std::chrono::minutes(10);
    /// Told of each edge that ends or comes back at this node. Must outlive it.
    const EventSource& events;
  };

  /// A message that arrived by another way.
  using Deliver = std::function<void(NodeId from, const Message&)>;

  Membership(const Setup& setup, Deliver deliver);

  // Edges, for the node.

  [[nodiscard]] bool has(NodeId peer) const override;
  [[nodiscard]] bool is_live(NodeId peer) const override;

  void note_sent(NodeId peer, const Message& message) override {
    own_.at(peer).end.note_sent(message);
  }

  [[nodiscard]] bool note_arrived(NodeId peer) override;

  void note_taken(NodeId peer) override { own_.at(peer).end.note_taken(); }

  [[nodiscard]] Next next(NodeId peer) const override { return own_.at(peer).end.next(); }

  /// While others try to agree nobody is late.
  [[nodiscard]] Time patient_since(Time since) const override;

  /// Gives the edge up, and tells everybody.
  void lose(NodeId peer, Round round, const std::string& reason) override;
  void leave(NodeId peer, Round round) override;

  // How this node comes in.

  [[nodiscard]] const Assembly& assembly() const { return assembly_; }

  /// Asks to be let in, in a life of its own.
  void ask_in(Incarnation incarnation, const Presence& presence);

  /// With all others, in a view that is a start: all edges are there, but for those that the
  /// checkpoint does not have.
  void begin_with_all();

  /// Joins a run: all its edges have yet to be made.
  void begin_alone();

  /// Both ends have each other's state, and begin with exchange 0.
  void restore(NodeId peer, Round round, const EdgeName& name);

  /// The other end never had this edge: it ends before its first exchange.
  void unmake(NodeId peer, Round round, const EdgeName& name, const std::string& reason);

  /// The number of the next edge with this peer.
  [[nodiscard]] std::uint64_t next_number(NodeId peer) const {
    return own_.at(peer).name.number + 1;
  }

  /// Whom this node has or wants an edge with.
  [[nodiscard]] std::vector<NodeId> wanted() const;

  [[nodiscard]] bool is_neighbour(NodeId peer) const { return own_.contains(peer); }

  /// Shows which edges the node has, for checkpoints. Whether the visitor has changed them.
  [[nodiscard]] bool visit_state(StateVisitor& visitor);

  // What comes from outside.

  void peer_lost(NodeId peer, Round round, const std::string& reason);
  void peer_back(NodeId peer);
  /// Of a process that was started to stop when one is lost: refuses it.
  void refuse_roll_call(const Aside& aside);
  /// An aside of kind kRumour or kView. Throws CutOff.
  void hear(const Aside& aside);

  /// Does what is due. Throws RunEnded if no majority comes together.
  void tick();
  [[nodiscard]] Time due() const;

  /// Whether no edges connect this node with most of the others that are running. News of an edge
  /// may be under way.
  [[nodiscard]] bool is_among_few() const;

  /// Throws CutOff if that has been so for the deadline, each time that it was asked.
  void expect_majority();

  /// Of those who have said goodbye nobody waits for anything: gives their edges up.
  void lose_those_who_ended(Round round);

  /// Whether everybody who is running has said that it has the mean of all models.
  [[nodiscard]] bool all_have_mean() const;
  void tell_mean();

  /// Throws RunEnded if all neighbours have said goodbye: nobody is left who could let it in.
  void expect_company(const Node& node) const;

  /// How many edges this node has lost.
  [[nodiscard]] std::uint64_t losses() const { return losses_; }

 private:
  struct OwnEdge {
    EdgeEnd end;
    EdgeName name;
    std::string reason;
    Time lost_at{};
    Time told_at{};
    bool is_link_lost = false;
    Time link_lost_at{};
  };

  [[nodiscard]] static bool is_open(const OwnEdge& edge) {
    return !edge.end.is_live() && !edge.end.is_gone() && !edge.end.is_settled();
  }

  void give_up(OwnEdge& edge, const std::string& reason);
  void tell_loss(NodeId peer, OwnEdge& edge);
  void tell_edges();
  void hear_loss(const Rumour& rumour);
  void hear_first_hand(NodeId peer, Incarnation incarnation);
  void settle_without(NodeId peer, const std::string& reason);
  void refuse_if_needed(const Rumour& rumour);
  void refuse(NodeId peer, Incarnation incarnation, const std::string& objection);
  void follow_view();
  [[nodiscard]] std::set<NodeId> doubted() const;

  Setup setup_;
  Network& network_;
  Deliver deliver_;
  Graph graph_;
  bool has_begun_ = false;
  Round round_ = 0;  // the last that was told
  std::uint64_t losses_ = 0;
  std::map<NodeId, OwnEdge> own_;  // by the other end
  std::map<NodeId, Time> member_since_;
  std::map<NodeId, Incarnation> refused_;
  std::map<NodeId, Incarnation> has_mean_;
  std::optional<Time> few_since_;
  Time last_pending_{};
  Assembly assembly_;  // last: it calls back
};

}  // namespace gossamer
