#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "gossamer/algorithms/algorithm.hpp"
#include "gossamer/member/node_host.hpp"

namespace gossamer {

/// Every so many rounds neighbours compare by digest what they hold of each other, and whoever
/// holds something else gets it anew, whole. An answer counts for the round that it was given in:
/// a loss may have cut an earlier audit short.
class Audits {
 public:
  struct Setup {
    NodeHost& host;
    Algorithm& algorithm;
    /// Rounds between two audits; 0: none.
    Round every;
    /// For how long a neighbour may keep this node waiting.
    Duration patience;
    /// Hears the next aside, whomever it is for. False: none came before the deadline.
    std::function<bool(Time deadline)> hear_next;
  };

  explicit Audits(Setup setup)
      : setup_(std::move(setup)), host_(setup_.host), node_(host_.node()) {}

  /// Whether all nodes have one before this round.
  [[nodiscard]] bool is_due() const;

  /// Throws NeighbourLost where a lost neighbour ends the run.
  void compare();

  /// An aside of kind kAudit, kVerdict or kRepair.
  void hear(const Aside& aside) { answers_[{aside.kind, aside.from}] = aside; }

  /// How many copies were put right at this node.
  [[nodiscard]] std::uint64_t repairs() const { return repairs_; }

 private:
  template <typename Got>
  void wait_for_neighbours(AsideKind kind, const Got& got);
  [[nodiscard]] std::optional<Aside> wait_for(AsideKind kind, NodeId peer);
  void repair(NodeId peer);

  Setup setup_;
  NodeHost& host_;
  Node& node_;
  std::map<std::pair<AsideKind, NodeId>, Aside> answers_;
  std::uint64_t repairs_ = 0;
};

}  // namespace gossamer
