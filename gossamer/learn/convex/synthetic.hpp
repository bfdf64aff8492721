#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/learn/convex/dataset.hpp"

namespace gossamer {

struct SyntheticSetup {
  std::size_t rows = 4000;
  std::size_t columns = 200;
  std::uint64_t seed = 0;
};

// The features of both sets: a_j ~ N(0, 1) / sqrt(j) for j = 1..columns, each row then scaled to
// length 1. So the first columns matter more, and no sample has a larger gradient than another.
// A hidden w ~ N(0, I) decides the labels.

/// Labels -1 and +1; +1 with probability 1 / (1 + exp(-6 a.w)).
[[nodiscard]] Dataset synthetic_logistic(const SyntheticSetup& setup);

/// Labels a.w + N(0, 0.1^2).
[[nodiscard]] Dataset synthetic_least_squares(const SyntheticSetup& setup);

}  // namespace gossamer
