#include "gossamer/learn/convex/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace gossamer {
namespace {

constexpr double kGradientTolerance = 1e-12;
constexpr int kMostSteps = 200;
constexpr int kMostHalvings = 60;
constexpr double kArmijo = 1e-4;
// What a sum of many terms may be off by.
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

// H p = -g up to a residual of `tolerance`. Stops early where H has no curvature left, which is a
// direction of descent all the same.
Point newton_direction(const SmoothFunction& function, const Point& g, double tolerance) {
  const Eigen::Index most = std::min<Eigen::Index>(2 * g.size() + 10, 2000);
  Point p = Point::Zero(g.size());
  Point residual = -g;
  Point direction = residual;
  Point product(g.size());
  double squares = residual.squaredNorm();
  for (Eigen::Index k = 0; k < most && std::sqrt(squares) > tolerance; ++k) {
    function.hessian_product(direction, product);
    const double curvature = direction.dot(product);
    if (!(curvature > 0)) break;
    const double a = squares / curvature;
    p += a * direction;
    residual -= a * product;
    const double next = residual.squaredNorm();
    direction = residual + (next / squares) * direction;
    squares = next;
  }
  if (p.isZero(0)) return -g;
  return p;
}

/// Where the search stands.
struct Place {
  Point x;
  Point g;
  double value = 0;
};

Place place_at(const SmoothFunction& function, Point x) {
  Place place{std::move(x), {}, 0};
  place.g.resize(place.x.size());
  place.value = function.value_and_gradient(place.x, place.g);
  return place;
}

// The first of p, p/2, p/4, ... along which f falls as it should, but for rounding. A NaN does not
// count as falling.
std::optional<Place> search_line(const SmoothFunction& function, const Place& from, const Point& p,
                                 double slope, double rounding) {
  double length = 1;
  for (int halvings = 0; halvings < kMostHalvings; ++halvings, length /= 2) {
    Place trial = place_at(function, from.x + length * p);
    if (trial.value <= from.value + kArmijo * length * slope + rounding) return trial;
  }
  return std::nullopt;
}

}  // namespace

Minimum minimize(const SmoothFunction& function, Point start) {
  Place at = place_at(function, std::move(start));
  const double first = at.g.norm();
  bool near = false;
  int steps = 0;
  for (; steps < kMostSteps && at.g.norm() > 0; ++steps) {
    const double norm = at.g.norm();
    const double forcing = std::min(0.1, std::sqrt(norm / first));
    const Point p = newton_direction(function, at.g, forcing * norm);
    const double slope = at.g.dot(p);
    const double rounding = kRounding * std::abs(at.value);
    std::optional<Place> next = search_line(function, at, p, slope, rounding);
    // Near the end, go on for as long as the gradient shrinks: a few steps, and all digits there
    // are.
    near = norm <= kGradientTolerance * first || -slope <= rounding;
    if (!next || (near && next->g.norm() > norm / 2)) break;
    at = std::move(*next);
  }
  const double norm = at.g.norm();
  return {std::move(at.x), at.value, norm, steps, near || norm == 0};
}

}  // namespace gossamer
