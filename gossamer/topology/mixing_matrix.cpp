#include "gossamer/topology/mixing_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gossamer/base/contract.hpp"

namespace gossamer {

MixingMatrix::MixingMatrix(std::span<const NodeId> degrees, std::vector<Edge> edges)
    : edges_(std::move(edges)) {
  starts_.reserve(degrees.size() + 1);
  starts_.push_back(0);
  for (const NodeId degree : degrees)
    starts_.push_back(starts_.back() + degree);
  expects(starts_.back() == edges_.size(), "the degrees count all edges");

  self_weights_.reserve(degrees.size());
  for (std::size_t id = 0; id < degrees.size(); ++id) {
    const double sum = sum_of_weights(std::span(edges_).subspan(starts_[id], degrees[id]));
    // Fourteen times 1/14 is a hair above 1 in floating point; a self weight is never negative.
    self_weights_.push_back(std::max(0.0, 1.0 - sum));
  }
}

Neighborhood MixingMatrix::row(NodeId id) const {
  expects(id < size(), "a node's id is below the topology's size");
  const std::size_t begin = starts_[id];
  return {self_weights_[id], std::span(edges_).subspan(begin, starts_[id + 1] - begin)};
}

double sum_of_weights(std::span<const Edge> edges) {
  double sum = 0.0;
  double lost = 0.0;
  for (const Edge& edge : edges) {
    const double total = sum + edge.weight;
    // The smaller of the two lost its low digits; what is missing can be recovered exactly.
    lost += std::abs(sum) >= std::abs(edge.weight) ? (sum - total) + edge.weight
                                                   : (edge.weight - total) + sum;
    sum = total;
  }
  return sum + lost;
}

}  // namespace gossamer
