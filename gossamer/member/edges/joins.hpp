#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/algorithms/algorithm.hpp"
#include "gossamer/member/node_host.hpp"

namespace gossamer {

/// How edges are made in a run that goes on without lost nodes: when both ends are members and
/// reach each other, one offers a round some way ahead, the other accepts it or names a later one,
/// and before that round both send each other what makes their copies whole: one dense exchange, on
/// this edge alone. A node that comes empty-handed gets a model with it.
///
/// Everything names the edge: both incarnations and a number. What names another counts for
/// nothing.
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
    /// How many rounds the run has: nobody joins behind the last.
    Round rounds;
    /// The model and what belongs to it, for a node that comes empty-handed.
    ShowState show_model;
    /// Hears the next aside, whomever it is for. False: none came before the deadline.
    std::function<bool(Time deadline)> hear_next;
  };

  explicit Joins(Setup setup);

  /// Between two rounds, when all that came has been heard.
  void make_edges();

  /// Between two rounds: any aside.
  void hear(const Aside& aside);

  /// In the midst of a round. Whether it was taken: the other end waits in a round that this node
  /// may have passed, and must hear so at once, since this node may wait, by way of others, for it.
  [[nodiscard]] bool hear_in_round(const Aside& aside);

  enum class Hands { kEmpty, kFull };

  /// Of a node that the view has, and that is not running: begins with the first round that it is
  /// offered. Calls `taken_in` when it is sure of that round, before the first edge is there.
  /// False: nobody was running any more, and all begin together. Throws RunEnded if nobody takes it
  /// in until the deadline.
  [[nodiscard]] bool join(Hands hands, Time deadline, const std::function<void()>& taken_in);

  /// How many edges have come back.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  struct Join {
    bool is_own_offer = false;
    bool is_agreed = false;
    EdgeName name;
    Round round = 0;
    Round margin = 4;
    bool other_wants_model = false;
    bool has_sent = false;
    std::optional<Aside> copy;  // theirs, if it came before this node's round
  };

  /// What names an edge in an aside, as the receiver sees it. Nothing if it is another's.
  [[nodiscard]] std::optional<EdgeName> read_name(ByteReader& in) const;
  void write_name(ByteWriter& out, const EdgeName& name) const;
  [[nodiscard]] Join* find(NodeId peer, const EdgeName& name);

  [[nodiscard]] bool is_running() const;
  [[nodiscard]] bool is_void(NodeId peer, const Join& join) const;
  [[nodiscard]] bool may_offer(NodeId peer) const;
  void forget(NodeId peer);
  void offer(NodeId peer, Join& join);
  void answer_offers();
  [[nodiscard]] bool can_answer(NodeId peer, const EdgeName& name) const;
  void accept(const Aside& aside, EdgeName name, Round offered);
  void hear_acceptance(const Aside& aside, Round earliest);
  void hear_copy(const Aside& aside);
  void hear_no_edge(const Aside& aside);
  void exchange_copies();
  [[nodiscard]] std::vector<NodeId> due_now() const;
  void wait_for_copy(NodeId peer, Time deadline);
  void take_model(NodeId peer);
  void send_copy(NodeId peer, Join& join);
  void finish(NodeId peer);
  void give_up(NodeId peer, const std::string& reason);

  Setup setup_;
  NodeHost& host_;
  Node& node_;
  Membership& membership_;
  std::function<void()> taken_in_;  // while it joins
  bool wants_model_ = false;
  std::map<NodeId, Join> joins_;
  std::map<NodeId, Aside> offered_;     // offers that were not answered yet
  std::map<NodeId, Round> not_before_;  // of offers, after a join that came to nothing
  std::uint64_t count_ = 0;
};

}  // namespace gossamer
