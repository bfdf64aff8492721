#pragma once

#include <span>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {

/// A sparse square matrix with its diagonal apart, row by row: 16 bytes per edge and direction, 16
/// per node.
class MixingMatrix {
 public:
  /// Row i gets the next degrees[i] of `edges`, sorted by peer, and the self weight that makes it
  /// sum to 1.
  MixingMatrix(std::span<const NodeId> degrees, std::vector<Edge> edges);

  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(self_weights_.size()); }

  [[nodiscard]] Neighborhood row(NodeId id) const;

 private:
  std::vector<std::size_t> starts_;  // row i is edges_[starts_[i] .. starts_[i + 1])
  std::vector<Edge> edges_;
  std::vector<double> self_weights_;
};

/// The weights' sum as if added without rounding (Neumaier 1974). Plain addition over the hub of a
/// star of 100,000 nodes is off by more than the 1e-12 that rows and columns promise.
[[nodiscard]] double sum_of_weights(std::span<const Edge> edges);

}  // namespace gossamer
