#pragma once

#include <functional>

#include <Eigen/Core>

namespace gossamer {

using Point = Eigen::VectorXd;

/// A smooth convex function, known by what it answers.
struct SmoothFunction {
  /// Returns f(x) and sets the gradient there.
  std::function<double(const Point& x, Point& gradient)> value_and_gradient;
  /// Sets product = H v, H being the Hessian at the x that value_and_gradient was last asked about.
  std::function<void(const Point& v, Point& product)> hessian_product;
};

struct Minimum {
  Point x;
  double value = 0;
  double gradient_norm = 0;
  int steps = 0;
  /// The gradient is below 1e-12 of what it was at the start, or f cannot fall further in double
  /// precision.
  bool converged = false;
};

/// Truncated Newton: each step solves H p = -g by conjugate gradients, the more exactly the nearer
/// the end, and is then halved until f falls (Armijo). Nocedal and Wright, Numerical Optimization,
/// Algorithm 7.1.
[[nodiscard]] Minimum minimize(const SmoothFunction& function, Point start);

}  // namespace gossamer
