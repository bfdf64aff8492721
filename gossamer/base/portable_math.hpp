#pragma once

namespace gossamer {

// The elementary functions of <cmath> give other last bits on machines with and without fused
// multiply-add (glibc picks a variant at run time). These use only operations that IEEE 754
// defines to the bit, so a seed means the same everywhere. Each is accurate to a few units in the
// last place of a double.

/// The natural logarithm of a positive, finite x.
[[nodiscard]] double portable_log(double x);

/// log(1 + x) for x in [0, 1], accurate for the smallest x too.
[[nodiscard]] double portable_log1p(double x);

/// 0 below, infinity above what a double can hold; a NaN stays one.
[[nodiscard]] double portable_exp(double x);

/// cos(2 pi u) for u in [0, 1).
[[nodiscard]] double portable_cosine_of_turns(double u);

}  // namespace gossamer
