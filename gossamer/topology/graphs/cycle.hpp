#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// A cycle of nodes, of which rings and tori are made. Two nodes share one edge, not two, and one
/// node has none. Its Laplacian (degrees minus adjacency) has the eigenvalues 4 sin^2(pi k / n).
struct Cycle {
  NodeId nodes;

  [[nodiscard]] NodeId degree() const { return nodes > 2 ? 2 : nodes - 1; }

  /// The smallest eigenvalue but 0; infinite for one node, which has no other. Two nodes (2) are
  /// slower than three (3), and from there on longer is slower.
  [[nodiscard]] double slowest() const {
    if (nodes <= 2) return nodes == 2 ? 2.0 : std::numeric_limits<double>::infinity();
    const double sine = std::sin(std::numbers::pi / nodes);
    return 4.0 * sine * sine;
  }

  [[nodiscard]] double fastest() const {
    if (nodes <= 2) return nodes == 2 ? 2.0 : 0.0;
    if (nodes % 2 == 0) return 4.0;
    const double cosine = std::cos(std::numbers::pi / (2.0 * nodes));
    return 4.0 * cosine * cosine;
  }
};

}  // namespace gossamer
