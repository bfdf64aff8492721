#include "gossamer/base/portable_math.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "gossamer/base/rng.hpp"

namespace gossamer {
namespace {

// Relative error of a few roundings; glibc's own functions are within one of them.
constexpr double kClose = 4 * std::numeric_limits<double>::epsilon();

void expect_close(double value, double expected) {
  EXPECT_NEAR(value, expected, kClose * std::abs(expected)) << "expected " << expected;
}

TEST(PortableMath, ExpIsCloseToTheLibrarys) {
  Rng rng(RngKey{.seed = 1});
  for (int i = 0; i < 10000; ++i) {
    const double x = 1400 * rng.uniform() - 700;
    SCOPED_TRACE(x);
    expect_close(portable_exp(x), std::exp(x));
    expect_close(portable_exp(x / 1000), std::exp(x / 1000));
  }
}

TEST(PortableMath, ExpHasExactAndInfiniteEnds) {
  EXPECT_EQ(portable_exp(0), 1.0);
  EXPECT_EQ(portable_exp(-746), 0.0);
  EXPECT_EQ(portable_exp(-std::numeric_limits<double>::infinity()), 0.0);
  EXPECT_TRUE(std::isinf(portable_exp(710)));
  EXPECT_TRUE(std::isinf(portable_exp(1e300)));
  EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
  EXPECT_GT(portable_exp(-745), 0.0);  // the smallest denormal numbers
  EXPECT_TRUE(std::isfinite(portable_exp(709.7)));
}

TEST(PortableMath, LogarithmsAreCloseToTheLibrarys) {
  Rng rng(RngKey{.seed = 2});
  for (int i = 0; i < 10000; ++i) {
    const double x = std::exp(1400 * rng.uniform() - 700);
    const double u = std::pow(rng.uniform(), 8);  // many small ones
    SCOPED_TRACE(x);
    expect_close(portable_log(x), std::log(x));
    expect_close(portable_log1p(u), std::log1p(u));
  }
  EXPECT_EQ(portable_log(1), 0.0);
  EXPECT_EQ(portable_log1p(0), 0.0);
  expect_close(portable_log1p(1), std::numbers::ln2);
}

TEST(PortableMath, CosineKnowsItsCorners) {
  expect_close(portable_cosine_of_turns(0), 1.0);
  EXPECT_EQ(portable_cosine_of_turns(0.25), 0.0);
  expect_close(portable_cosine_of_turns(0.5), -1.0);
  expect_close(portable_cosine_of_turns(0.125), std::numbers::sqrt2 / 2);
}

}  // namespace
}  // namespace gossamer
