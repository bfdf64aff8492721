#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gossamer/math/scratch.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

/// Entries of a vector: indices in ascending order, and the values there.
struct Entries {
  std::span<std::uint32_t> indices;
  std::span<float> values;
};

/// The out.indices.size() entries of x of largest magnitude, exactly; of equal magnitudes the
/// lowest index wins. A NaN counts as larger than infinity, so a non-finite element of x is always
/// among them. Usually one read of x: a sample says where to cut, and what lies above the cut is
/// selected exactly. A sample that misleads costs three more reads. x has fewer than 2^32 elements.
void select_top_k(CVec x, Scratch& scratch, Entries out);

}  // namespace gossamer
