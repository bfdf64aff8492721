#include "gossamer/learn/convex/newton.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

// sum_j h_j (x_j - 1)^2 / 2 + 3, curvatures from 1 to `condition`.
SmoothFunction bowl(Eigen::Index size, double condition) {
  Point h(size);
  for (Eigen::Index j = 0; j < size; ++j)
    h[j] = std::pow(condition, static_cast<double>(j) / static_cast<double>(size - 1));
  return {[h](const Point& x, Point& g) {
            g = h.cwiseProduct(x - Point::Ones(x.size()));
            return 3 + g.dot(x - Point::Ones(x.size())) / 2;
          },
          [h](const Point& v, Point& product) { product = h.cwiseProduct(v); }};
}

// sum_j exp(x_j) - x_j, smallest at 0. Far to the left it is almost straight: whole Newton steps
// overflow.
struct Slide {
  Point curvature;

  double value_and_gradient(const Point& x, Point& g) {
    curvature = x.array().exp();
    g = curvature.array() - 1;
    return (curvature - x).sum();
  }
};

Minimum slide_from(double start) {
  Slide slide;
  return minimize(
      {[&](const Point& x, Point& g) { return slide.value_and_gradient(x, g); },
       [&](const Point& v, Point& product) { product = slide.curvature.cwiseProduct(v); }},
      Point::Constant(3, start));
}

TEST(Newton, SolvesQuadraticsOfAnyCondition) {
  for (const double condition : {1.0, 1e3, 1e6}) {
    const Minimum minimum = minimize(bowl(50, condition), Point::Zero(50));
    EXPECT_TRUE(minimum.converged);
    EXPECT_DOUBLE_EQ(minimum.value, 3.0);
    // The gradient is 1e-12 of its first length, which is at most sqrt(50) conditions, and the
    // smallest curvature is 1.
    EXPECT_LE((minimum.x - Point::Ones(50)).norm(), 1e-11 * condition);
  }
}

TEST(Newton, ComesBackFromStepsThatOverflow) {
  for (const double start : {-20.0, -1.0, 1.0, 20.0}) {
    const Minimum minimum = slide_from(start);
    EXPECT_TRUE(minimum.converged) << start;
    EXPECT_DOUBLE_EQ(minimum.value, 3.0) << start;
  }
}

TEST(Newton, StaysWhereItCannotImprove) {
  const Minimum minimum = slide_from(0.0);
  EXPECT_TRUE(minimum.converged);
  EXPECT_EQ(minimum.steps, 0);
  EXPECT_EQ(minimum.value, 3.0);
}

TEST(Newton, SaysWhenThereIsNoMinimum) {
  const Minimum minimum = minimize({[](const Point& x, Point& g) {
                                      g.setConstant(-1);
                                      return -x.sum();
                                    },
                                    [](const Point&, Point& product) { product.setZero(); }},
                                   Point::Zero(2));
  EXPECT_FALSE(minimum.converged);
}

}  // namespace
}  // namespace gossamer
