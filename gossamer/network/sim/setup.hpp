#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/network/sim/sim.hpp"

namespace gossamer {

/// Which machine each node of a simulation is on.
class Machines {
 public:
  Machines(NodeId nodes, const SimSetup& setup)
      : nodes_(nodes), count_(setup.hosts == 0 ? nodes : setup.hosts) {}

  [[nodiscard]] NodeId count() const { return count_; }

  [[nodiscard]] NodeId nodes() const { return nodes_; }

  [[nodiscard]] NodeId of(NodeId node) const { return node < count_ ? node : 0; }

 private:
  NodeId nodes_;
  NodeId count_;
};

/// Two nodes or machines, smaller number first.
using Pair = std::pair<NodeId, NodeId>;

[[nodiscard]] inline Pair unordered(NodeId a, NodeId b) {
  return a < b ? Pair{a, b} : Pair{b, a};
}

/// Who may talk to whom.
class Acquaintances {
 public:
  Acquaintances(NodeId nodes, const SimSetup& setup);

  [[nodiscard]] bool know(NodeId a, NodeId b) const;

  /// Calls `visit` with every node that `node` may talk to.
  template <typename Visit>
  void for_each_of(NodeId node, Visit visit) const {
    if (everybody_) {
      for (NodeId peer = 0; peer < peers_.size(); ++peer)
        if (peer != node) visit(peer);
    }
    for (const NodeId peer : peers_[node])
      visit(peer);
  }

 private:
  bool everybody_;
  std::vector<std::vector<NodeId>> peers_;  // sorted; none if everybody knows everybody
};

/// What happens at a time that the setup gives.
struct Incident {
  enum class Kind : std::uint8_t { kCut, kHeal, kFail };

  Time at;
  Kind kind = Kind::kCut;
  NodeId a = 0;
  NodeId b = 0;
};

/// All outages and failures, in the order of time.
[[nodiscard]] std::vector<Incident> incidents_of(const SimSetup& setup);

/// All that can be said about a setup without SimGrid: nodes that do not exist, impossible values.
[[nodiscard]] Result<void> check_setup(const Machines& machines, const SimSetup& setup);

}  // namespace gossamer
