#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gossamer/topology/graph.hpp"

namespace gossamer {

/// Which edges of a graph are in use, as one node knows it: every loss and every return is told to
/// all. An edge changes between in use and not; its generation counts the changes, so that news
/// that overtake each other are put in order.
class LiveEdges {
 public:
  using Generation = std::uint32_t;

  explicit LiveEdges(Graph graph) : graph_(std::move(graph)) {}

  [[nodiscard]] Generation generation(NodePair pair) const;

  [[nodiscard]] bool has(NodePair pair) const { return generation(pair) % 2 == 0; }

  /// Whether that was news.
  bool note(NodePair pair, Generation generation);

  /// The edges that ever changed, to tell a node that was away.
  [[nodiscard]] const std::map<NodePair, Generation>& changes() const { return changes_; }

  /// Whom an edge of the graph connects with `node`, in use or not.
  [[nodiscard]] std::vector<NodeId> neighbours(NodeId node) const;

  /// The nodes that can be reached from `node` over edges in use, itself first.
  [[nodiscard]] std::vector<NodeId> reachable_from(NodeId node) const;

 private:
  Graph graph_;
  std::map<NodePair, Generation> changes_;
};

}  // namespace gossamer
