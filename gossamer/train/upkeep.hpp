#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "gossamer/algorithms/algorithm.hpp"
#include "gossamer/node/node.hpp"
#include "gossamer/train/presence.hpp"

namespace gossamer {

/// What a node does for its edges between two rounds. Audits: neighbours compare by digest what
/// they hold of each other, and whoever has something else gets it anew. And joins: an edge that
/// was lost comes back when both ends can reach each other again.
///
/// To join, the end that runs offers a round, the other accepts it or names a later one, and before
/// that round both send each other what makes their copies whole: one dense exchange, on this edge
/// alone. A node that comes empty-handed gets a model with it.
///
/// Nobody waits in a circle: who waits here waits for a node that has yet to come to this round,
/// and one that has passed it says so at once.
class Upkeep {
 public:
  struct Setup {
    Node& node;
    Algorithm& algorithm;
    /// Rounds between two audits; 0: none.
    Round audit_every;
    /// For how long a neighbour may keep an exchange waiting.
    Duration patience;
    Presence own;
    /// The model and what belongs to it, for a node that comes empty-handed.
    ShowState show_model;
    std::function<void(const std::string&)> note;
  };

  explicit Upkeep(Setup setup);

  Upkeep(const Upkeep&) = delete;
  Upkeep& operator=(const Upkeep&) = delete;

  /// Before each round. Throws NeighbourLost and RunEnded.
  void between_rounds();

  enum class Hands { kEmpty, kCheckpoint };

  /// Of a node that finds a run under way: begins with the first round that it is offered. Throws
  /// RunEnded if nobody takes it in.
  void join(const Aside& first_offer, Hands hands);

  [[nodiscard]] std::uint64_t joins() const { return joins_count_; }

  [[nodiscard]] std::uint64_t repairs() const { return repairs_; }

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

  [[nodiscard]] bool is_audit_due() const;
  void bring_edges_back();
  void hear(const Aside& aside);
  void hear_request(const Aside& aside);
  void forget(NodeId peer);
  void hear_offer(const Aside& aside);
  [[nodiscard]] bool hear_in_round(const Aside& aside);
  void hear_acceptance(const Aside& aside, Round earliest);
  void hear_copy(const Aside& aside);
  void offer(NodeId peer, Join& join);
  void answer_offers();
  void exchange_copies();
  void take_model(NodeId peer);
  void wait_for_copy(NodeId peer, Time deadline);
  void send_copy(NodeId peer, Join& join);
  void finish(NodeId peer);
  void give_up(NodeId peer, const std::string& reason);
  [[nodiscard]] bool is_away(NodeId peer) const;

  void audit();
  void repair(NodeId peer);
  [[nodiscard]] std::optional<Aside> wait_for(AsideKind kind, NodeId peer);
  template <typename Got>
  void wait_for_neighbours(AsideKind kind, const Got& got);

  Setup setup_;
  Node& node_;
  bool is_between_rounds_ = false;
  bool wants_model_ = false;
  std::optional<NodeId> model_from_;  // the one that was asked for it
  std::map<NodeId, Join> joins_;
  std::map<NodeId, Aside> offered_;  // offers that could not be answered yet
  std::set<NodeId> refused_;         // until they start again
  std::map<std::pair<AsideKind, NodeId>, Aside> answers_;
  std::uint64_t joins_count_ = 0;
  std::uint64_t repairs_ = 0;
};

}  // namespace gossamer
