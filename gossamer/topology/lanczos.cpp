// Lanczos' three-term recurrence, without reorthogonalisation: rounding then repeats extreme
// eigenvalues of the tridiagonal matrix but does not move them (Paige 1971), and only the extremes
// matter here.
#include "gossamer/topology/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Core>

#include "gossamer/base/rng.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {
namespace {

using Vector = Eigen::VectorXd;

// The constant vector is W's eigenvector for 1, and none of ours.
void subtract_mean(Vector& v) {
  v.array() -= v.mean();
}

// y = (I - W) x, as sum_j w_ij (x_i - x_j): differences lose no digits where x is smooth.
void apply_laplacian(const Topology& topology, const Vector& x, Vector& y) {
  for (NodeId id = 0; id < topology.size(); ++id) {
    double sum = 0.0;
    for (const Edge& edge : topology.at(id, 0).neighbours)
      sum += edge.weight * (x[id] - x[edge.peer]);
    y[id] = sum;
  }
}

// A vector of this length is rounding: the vectors before it span all there is.
constexpr double kNothing = 1e-13;

/// A symmetric tridiagonal matrix that grows by one row and column at a time.
class Tridiagonal {
 public:
  void grow(double diagonal, double coupling_to_next) {
    diagonal_.push_back(diagonal);
    coupling_.push_back(coupling_to_next);
  }

  [[nodiscard]] std::size_t size() const { return diagonal_.size(); }

  [[nodiscard]] double smallest() const { return bisect(1); }

  [[nodiscard]] double largest() const { return bisect(size()); }

 private:
  // How many eigenvalues lie below x: the negative pivots of T - x I (Sylvester's law of inertia).
  [[nodiscard]] std::size_t count_below(double x) const {
    std::size_t count = 0;
    double pivot = 1.0;
    double coupling = 0.0;
    for (std::size_t i = 0; i < size(); ++i) {
      pivot = diagonal_[i] - x - coupling * coupling / pivot;
      if (pivot == 0.0) pivot = std::numeric_limits<double>::min();
      if (pivot < 0.0) ++count;
      coupling = coupling_[i];
    }
    return count;
  }

  // The eigenvalue number `rank` from below, to the last bit. I - W has all of its own in [0, 2].
  [[nodiscard]] double bisect(std::size_t rank) const {
    double low = 0.0;
    double high = 2.0 + 1e-9;
    for (;;) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) return middle;
      (count_below(middle) >= rank ? high : low) = middle;
    }
  }

  std::vector<double> diagonal_;
  std::vector<double> coupling_;
};

bool has_settled(double before, double now) {
  return std::abs(now - before) <= std::max(1e-11 * now, 1e-15);
}

class Lanczos {
 public:
  explicit Lanczos(const Topology& topology)
      : topology_(topology),
        current_(topology.size()),
        previous_(Vector::Zero(topology.size())),
        next_(topology.size()) {
    Rng rng(RngKey{.seed = 0, .purpose = Purpose::kTopology});
    for (double& value : current_)
      value = rng.uniform() - 0.5;
    subtract_mean(current_);
    current_.normalize();
  }

  /// One more row of T. False once the vectors span all that the start vector can reach.
  bool step() {
    apply_laplacian(topology_, current_, next_);
    const double diagonal = current_.dot(next_);
    next_ -= diagonal * current_ + coupling_ * previous_;
    // What should be gone is gone only up to rounding. Where little else is left, that is a large
    // part of it, so it is taken out once more before the division makes it a vector of length 1.
    next_ -= next_.dot(current_) * current_;
    next_ -= next_.dot(previous_) * previous_;
    subtract_mean(next_);
    coupling_ = next_.norm();
    T_.grow(diagonal, coupling_);
    if (coupling_ < kNothing) return false;
    next_ /= coupling_;
    previous_.swap(current_);
    current_.swap(next_);
    return true;
  }

  [[nodiscard]] Spectrum estimate() const { return {T_.smallest(), T_.largest()}; }

  [[nodiscard]] std::size_t steps() const { return T_.size(); }

 private:
  const Topology& topology_;
  Vector current_;
  Vector previous_;
  Vector next_;
  double coupling_ = 0.0;
  Tridiagonal T_;
};

}  // namespace

std::optional<Spectrum> lanczos_spectrum(const Topology& topology, double most_work) {
  expects(topology.size() >= 2, "one node has no second eigenvalue");
  expects(topology.is_symmetric() && !topology.is_time_varying(),
          "Lanczos' method needs a constant symmetric W");
  double work_per_step = 10.0 * topology.size();
  for (NodeId id = 0; id < topology.size(); ++id) {
    work_per_step += static_cast<double>(topology.at(id, 0).neighbours.size());
  }

  Lanczos lanczos(topology);
  Spectrum before{0.0, 0.0};
  // Estimates only ever move outwards. They are compared after half as many steps again, so that an
  // error that still shrinks by any factor per step would show.
  std::size_t next_look = 32;
  while (static_cast<double>(lanczos.steps()) * work_per_step <= most_work) {
    const bool goes_on = lanczos.step();
    if (goes_on && lanczos.steps() < next_look) continue;
    const Spectrum now = lanczos.estimate();
    const bool settled = has_settled(before.one_minus_lambda2, now.one_minus_lambda2) &&
                         has_settled(before.one_minus_lambda_n, now.one_minus_lambda_n);
    if (!goes_on || settled) return now;
    before = now;
    next_look += next_look / 2;
  }
  return std::nullopt;
}

}  // namespace gossamer
