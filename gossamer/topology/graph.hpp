#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/topology/mixing_matrix.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {

/// An undirected pair of nodes, a < b.
struct NodePair {
  NodeId a;
  NodeId b;

  [[nodiscard]] bool operator==(const NodePair&) const = default;

  [[nodiscard]] bool operator<(const NodePair& other) const {
    return std::pair(a, b) < std::pair(other.a, other.b);
  }
};

/// The same pair whichever end is named first.
[[nodiscard]] NodePair pair_of(NodeId one, NodeId other);

/// An undirected graph without weights. Pairs are sorted, without duplicates and without loops.
struct Graph {
  NodeId nodes = 0;
  std::vector<NodePair> pairs;
};

/// Sorts the pairs and drops duplicates: a torus with a side of 2 reaches the same neighbour both
/// ways round, and counting it twice would make rows sum to more than 1.
[[nodiscard]] Graph make_graph(NodeId nodes, std::vector<NodePair> pairs);

/// The pairs of nodes that talk in some round, whichever way, as a graph.
[[nodiscard]] Graph graph_of(const Topology& topology);

/// Whom an edge of the graph connects with `node`, ascending.
[[nodiscard]] std::vector<NodeId> neighbours_in(const Graph& graph, NodeId node);

/// Whether every node reaches every other along the edges.
[[nodiscard]] bool is_connected(const Graph& graph);

/// A constant symmetric topology. `closed_form` is what a formula says about it, if there is one.
[[nodiscard]] std::unique_ptr<Topology> make_constant(std::string spec, MixingMatrix W,
                                                      std::optional<Mixing> closed_form);

}  // namespace gossamer
