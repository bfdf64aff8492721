#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gossamer/algorithms/algorithm.hpp"
#include "gossamer/member/node_host.hpp"
#include "gossamer/member/presence.hpp"

namespace gossamer {

/// How edges that were lost come back, in a run that goes on without lost nodes: when both ends
/// reach each other again, one offers a round some way ahead, the other accepts it or names a later
/// one, and before that round both send each other what makes their copies whole: one dense
/// exchange, on this edge alone. A node that comes empty-handed gets a model with it.
///
/// Nobody waits in a circle: who waits here waits for a node that has yet to come to this round,
/// and one that has passed it says so at once.
class Joins {
 public:
  struct Setup {
    /// Has a membership.
    NodeHost& host;
    Algorithm& algorithm;
    /// For how long a neighbour may keep an exchange waiting.
    Duration patience;
    Presence own;
    /// The model and what belongs to it, for a node that comes empty-handed.
    ShowState show_model;
    /// Hears the next aside, whomever it is for. False: none came before the deadline.
    std::function<bool(Time deadline)> hear_next;
  };

  explicit Joins(Setup setup);

  /// Between two rounds, when all that came has been heard.
  void bring_edges_back();

  /// Between two rounds: any aside.
  void hear(const Aside& aside);

  /// In the midst of a round. Whether it was taken: the other end waits in a round that this node
  /// may have passed, and must hear so at once, since this node may wait, by way of others, for it.
  [[nodiscard]] bool hear_in_round(const Aside& aside);

  enum class Hands { kEmpty, kCheckpoint };

  /// Of a node that finds a run under way: begins with the first round that it is offered. Calls
  /// `taken_in` when it is sure of that round, before the first edge is there. Throws RunEnded if
  /// nobody takes it in.
  void join(const Aside& first_offer, Hands hands, const std::function<void()>& taken_in);

  /// How many edges have come back.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  struct Join {
    enum class Stage { kWanted, kOffered, kAgreed };

    Stage stage = Stage::kWanted;
    bool is_own_offer = false;
    Round round = 0;
    Round margin = 4;
    LiveEdges::Generation generation = 0;
    bool other_wants_model = false;
    bool has_sent = false;
    std::optional<Aside> copy;  // theirs, if it came before this node's round
  };

  void hear_request(const Aside& aside);
  void forget(NodeId peer);
  void offer(NodeId peer, Join& join);
  void answer_offers();
  void hear_offer(const Aside& aside);
  void hear_acceptance(const Aside& aside, Round earliest);
  void hear_copy(const Aside& aside);
  void exchange_copies();
  void wait_for_copy(NodeId peer, Time deadline);
  void take_model(NodeId peer);
  void send_copy(NodeId peer, Join& join);
  void finish(NodeId peer);
  void give_up(NodeId peer, const std::string& reason);

  [[nodiscard]] bool is_away(NodeId peer) const { return !membership_.has(peer); }

  Setup setup_;
  NodeHost& host_;
  Node& node_;
  Membership& membership_;
  std::vector<NodeId> neighbours_;  // of the whole graph
  std::function<void()> taken_in_;  // while it joins
  bool wants_model_ = false;
  std::optional<NodeId> model_from_;  // the one that was asked for it
  std::map<NodeId, Join> joins_;
  std::map<NodeId, Aside> offered_;  // offers that could not be answered yet
  std::set<NodeId> refused_;         // until they start again
  std::uint64_t count_ = 0;
};

}  // namespace gossamer
