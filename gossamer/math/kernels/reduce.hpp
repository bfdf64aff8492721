#pragma once

#include "gossamer/math/vec.hpp"

namespace gossamer {

// Sums run in double precision in 32 interleaved lanes (element i belongs to lane i mod 32) that
// are added as a fixed binary tree. The order depends on nothing but the length, so the result has
// the same bits on every machine. A NaN or an infinity among the inputs makes a sum non-finite;
// finite inputs never do.

[[nodiscard]] double sum(CVec x);
[[nodiscard]] double sum_abs(CVec x);
[[nodiscard]] double sum_squares(CVec x);

/// Both of one length.
[[nodiscard]] double dot(CVec x, CVec y);

/// sum (x_i - y_i)^2, the difference taken in double precision.
[[nodiscard]] double sum_squared_difference(CVec x, CVec y);

[[nodiscard]] bool all_finite(CVec x);

struct Range {
  float min = 0.0f;
  float max = 0.0f;
  bool finite = true;  // if not, min and max mean nothing
};

/// Smallest and largest element; {0, 0} of an empty vector. A zero bound is always +0.
[[nodiscard]] Range range_of(CVec x);

}  // namespace gossamer
