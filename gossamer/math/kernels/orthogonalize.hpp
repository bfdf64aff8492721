#pragma once

#include <cstddef>

#include "gossamer/math/vec.hpp"

namespace gossamer {

/// A column that lies in the span of the columns before it, but for this share of its length, is
/// left out: in single precision such a rest is rounding noise.
inline constexpr double kDependentColumn = 1e-4;

/// Makes `rank` columns of equal length, one after the other in `columns`, orthonormal from the
/// first to the last. A dependent column becomes exactly 0 instead of noise blown up to length 1,
/// so that P P^T is an orthogonal projection whatever rank the input had. Returns how many are 0.
///
/// Sums run in the fixed order of reduce.hpp: equal input gives equal bits on every machine, which
/// the two ends of an edge rely on.
std::size_t orthogonalize(Vec columns, std::size_t rank);

}  // namespace gossamer
