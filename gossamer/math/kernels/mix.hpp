#pragma once

#include <span>

#include "gossamer/math/vec.hpp"

namespace gossamer {

/// A vector and its weight in a mixture. Borrows the numbers.
struct WeightedVector {
  float weight;
  const float* values;
};

/// out = base + (gamma sum_k w_k (v_k - own) + u), in one pass over all of them; an empty u counts
/// as none. Differences first: those of nearly equal vectors are exact, so a mixture of nodes that
/// agree moves none of them. `out` may be any of the inputs.
void mix_differences(std::span<const WeightedVector> vectors, CVec own, float gamma, CVec base,
                     CVec u, Vec out);

}  // namespace gossamer
