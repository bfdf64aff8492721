#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// p of the exponential graphs: node i hears i + 1, i + 2, i + 4, ..., i + 2^(p - 1) modulo n, all
/// of them different nodes and none of them i. The logarithm of n, rounded up.
[[nodiscard]] inline unsigned exponential_hops(NodeId nodes) {
  return static_cast<unsigned>(std::bit_width(nodes - 1));
}

/// The angle 2 pi k m / n, reduced in whole numbers first: it is as exact for many nodes as for
/// ten.
[[nodiscard]] inline double turn(NodeId k, std::uint64_t m, NodeId nodes) {
  return 2.0 * std::numbers::pi * static_cast<double>(k * m % nodes) / nodes;
}

}  // namespace gossamer
