#include "gossamer/base/portable_math.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace gossamer {
namespace {

// 2 atanh(s) as the first kTerms terms of its series 2 s (1 + s^2 / 3 + s^4 / 5 + ...).
template <int kTerms>
double twice_atanh(double s) {
  double series = 0;
  for (int n = 2 * kTerms - 1; n >= 1; n -= 2)
    series = series * (s * s) + 1.0 / n;
  return 2 * s * series;
}

}  // namespace

// log(m 2^e) = e log 2 + 2 atanh(s), s = (m - 1) / (m + 1). |s| < 0.172, so the first term left
// out is below 2^-60 of the sum.
double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < std::numbers::sqrt2 / 2) {
    m *= 2;
    --exponent;
  }
  return exponent * std::numbers::ln2 + twice_atanh<11>((m - 1) / (m + 1));
}

// log(1 + x) = 2 atanh(s), s = x / (2 + x) <= 1/3: the first term left out is below 2^-55.
double portable_log1p(double x) {
  return twice_atanh<16>(x / (2 + x));
}

// exp(n log 2 + r) = 2^n exp(r), |r| <= (log 2) / 2. The high part of log 2 has 32 bits, so n times
// it is exact. The first term of the series left out is below 2^-57.
double portable_exp(double x) {
  constexpr double kLog2High = 0x1.62e42feep-1;
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  if (std::isnan(x)) return x;
  if (x > 709.79) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const int n = static_cast<int>(x * std::numbers::log2e + (x < 0 ? -0.5 : 0.5));
  const double r = (x - n * kLog2High) - n * kLog2Low;
  double series = 1;
  for (int k = 13; k >= 1; --k)
    series = 1 + series * (r * (1.0 / k));
  return std::ldexp(series, n);
}

// The sine of an angle in [-pi/2, pi/2]; both subtractions are exact. The first term left out is
// below 2^-67.
double portable_cosine_of_turns(double u) {
  const double angle = 2 * std::numbers::pi * (std::abs(u - 0.5) - 0.25);
  double series = 1;
  for (int n = 22; n >= 2; n -= 2)
    series = 1 - series * (angle * angle) / (n * (n + 1));
  return angle * series;
}

}  // namespace gossamer
