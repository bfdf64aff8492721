#include "gossamer/learn/convex/linear_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/learn/convex/newton.hpp"
#include "gossamer/learn/partition.hpp"
#include "gossamer/learn/sampler.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

// 1.6 GB of features.
constexpr std::size_t kMostDim = 100'000;

/// What all nodes of a task read and none writes.
struct Problem {
  Dataset data;
  PointLossFunction loss;
  double l2;
  std::optional<std::size_t> batch;
  Sampling sampling;
  Layout layout;

  [[nodiscard]] double penalty(double squares) const { return l2 / 2 * squares; }

  template <typename Vector>
  [[nodiscard]] PointLoss loss_of(std::size_t sample, const Vector& x) const {
    return loss(dot(data.row(sample), x), data.labels()[sample]);
  }
};

/// One node's share: a list of rows of the common data.
class LinearObjective final : public Objective {
 public:
  LinearObjective(const Problem& problem, const Partition& shards, NodeId id)
      : problem_(problem),
        shard_(shards[id]),
        sampler_(problem.sampling, shards, id, problem.batch.value_or(shard_.size())),
        sum_(problem.batch == 1 ? 0 : problem.layout.size()) {}

  [[nodiscard]] const Layout& layout() const override { return problem_.layout; }

  void initialize(const RngKey& /*key*/, Vec x) const override { x.setZero(); }

  double gradient(CVec x, const RngKey& batch, Vec g) override {
    expects(static_cast<std::size_t>(x.size()) == layout().size() && x.size() == g.size(),
            "the model and its gradient have the layout's size");
    if (!problem_.batch) {
      return mean_gradient(
          shard_.size(), [this](std::size_t i) { return shard_[i]; }, x, g);
    }
    const auto draw = [&](std::size_t i) { return sampler_.draw(batch, i); };
    if (*problem_.batch == 1) return sample_gradient(draw(0), x, g);
    return mean_gradient(*problem_.batch, draw, x, g);
  }

 private:
  // Straight into g: the row once, and the pass over x that the penalty needs.
  double sample_gradient(std::size_t sample, CVec x, Vec g) const {
    const Row row = problem_.data.row(sample);
    const PointLoss point = problem_.loss_of(sample, x);
    const auto slope = static_cast<float>(point.slope);
    const auto l2 = static_cast<float>(problem_.l2);
    if (row.is_dense) {
      g = slope * CVec(row.values.data(), g.size()) + l2 * x;
    } else {
      g = l2 * x;
      for (std::size_t k = 0; k < row.values.size(); ++k)
        g.data()[row.columns[k]] += slope * row.values[k];
    }
    return point.value + problem_.penalty(sum_squares(x));
  }

  // Summed in double precision and rounded once: in floats the sum over a large shard would lose
  // as many digits as its count has.
  template <typename Choose>
  double mean_gradient(std::size_t count, Choose choose, CVec x, Vec g) {
    std::ranges::fill(sum_, 0.0);
    double loss = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t sample = choose(i);
      const PointLoss point = problem_.loss_of(sample, x);
      loss += point.value;
      add(problem_.data.row(sample), point.slope, sum_);
    }
    const double scale = 1 / static_cast<double>(count);
    for (std::size_t j = 0; j < sum_.size(); ++j)
      g.data()[j] = static_cast<float>(scale * sum_[j] + problem_.l2 * double{x.data()[j]});
    return scale * loss + problem_.penalty(sum_squares(x));
  }

  const Problem& problem_;
  std::span<const std::uint32_t> shard_;
  Sampler sampler_;
  std::vector<double> sum_;  // room for sums; empty when every batch is a single sample
};

std::span<double> span_of(Point& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

std::span<const double> span_of(const Point& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// The loss over all data as the solver wants it. Remembers the curvatures at the last point.
class WholeLoss {
 public:
  explicit WholeLoss(const Problem& problem) : problem_(problem), curvatures_(rows()) {}

  double value_and_gradient(const Point& x, Point& g) {
    g.setZero();
    double loss = 0;
    for (std::size_t i = 0; i < rows(); ++i) {
      const PointLoss point = problem_.loss_of(i, span_of(x));
      loss += point.value;
      curvatures_[i] = point.curvature;
      add(problem_.data.row(i), point.slope, span_of(g));
    }
    g = scale() * g + problem_.l2 * x;
    return scale() * loss + problem_.penalty(x.squaredNorm());
  }

  void hessian_product(const Point& v, Point& product) const {
    product.setZero();
    for (std::size_t i = 0; i < rows(); ++i) {
      const Row row = problem_.data.row(i);
      add(row, curvatures_[i] * dot(row, span_of(v)), span_of(product));
    }
    product = scale() * product + problem_.l2 * v;
  }

 private:
  [[nodiscard]] std::size_t rows() const { return problem_.data.rows(); }

  [[nodiscard]] double scale() const { return 1 / static_cast<double>(rows()); }

  const Problem& problem_;
  std::vector<double> curvatures_;
};

std::optional<double> solve(const Problem& problem) {
  WholeLoss whole(problem);
  const SmoothFunction function{
      [&](const Point& x, Point& g) { return whole.value_and_gradient(x, g); },
      [&](const Point& v, Point& product) { whole.hessian_product(v, product); }};
  const auto size = static_cast<Eigen::Index>(problem.layout.size());
  const Minimum minimum = minimize(function, Point::Zero(size));
  return minimum.converged ? std::optional(minimum.value) : std::nullopt;
}

class LinearModel final : public Task {
 public:
  LinearModel(Problem problem, Partition shards)
      : problem_(std::move(problem)), shards_(std::move(shards)) {}

  [[nodiscard]] const Layout& layout() const override { return problem_.layout; }

  [[nodiscard]] std::unique_ptr<Objective> objective_of(NodeId id) const override {
    expects(id < shards_.size(), "a task has an objective for each of its nodes");
    return std::make_unique<LinearObjective>(problem_, shards_, id);
  }

  [[nodiscard]] std::optional<double> loss(CVec x) const override {
    expects(static_cast<std::size_t>(x.size()) == layout().size(),
            "the model has the layout's size");
    const std::size_t rows = problem_.data.rows();
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i)
      sum += problem_.loss_of(i, x).value;
    return sum / static_cast<double>(rows) + problem_.penalty(sum_squares(x));
  }

  [[nodiscard]] std::optional<double> optimum() const override {
    std::call_once(solved_, [this] { optimum_ = solve(problem_); });
    return optimum_;
  }

  [[nodiscard]] std::optional<double> rounds_per_epoch() const override {
    return epoch_rounds(shards_, problem_.batch);
  }

 private:
  Problem problem_;
  Partition shards_;
  mutable std::once_flag solved_;
  mutable std::optional<double> optimum_;
};

}  // namespace

Result<void> expect_options_of_samples(const TaskSetup& setup) {
  const auto has_no = [&](const char* option) {
    return Error{fmt::format("{} has no option {}: it belongs to quadratic", setup.task, option)};
  };
  const TaskSetup defaults{.task = setup.task};
  if (setup.condition != defaults.condition) return has_no("condition");
  if (setup.noise != defaults.noise) return has_no("noise");
  if (setup.dim > 0 && !setup.data.empty()) {
    return Error{
        fmt::format("{}: dim is the number of features of the built-in set; '{}' has its own: "
                    "leave dim out",
                    setup.task, setup.data)};
  }
  if (setup.dim > kMostDim) {
    return Error{
        fmt::format("{}: dim must be at most {}, not {}", setup.task, kMostDim, setup.dim)};
  }
  if (setup.l2 && !(std::isfinite(*setup.l2) && *setup.l2 >= 0)) {
    return Error{
        fmt::format("{}: l2 must be a finite number from 0 on, not {}", setup.task, *setup.l2)};
  }
  return {};
}

SyntheticSetup built_in_set(const TaskSetup& setup) {
  SyntheticSetup set{.seed = setup.seed};
  if (setup.dim > 0) set.columns = setup.dim;
  return set;
}

Result<std::unique_ptr<Task>> make_linear_model(const TaskSetup& setup, Dataset data,
                                                PointLossFunction loss) {
  if (const Result<void> fits = check_batch(setup.batch, data.rows()); !fits)
    return Error{fmt::format("{}: {}", setup.task, fits.error().message)};
  Result<Partition> shards =
      make_partition(setup.partition, std::as_const(data).labels(), setup.nodes, setup.seed);
  if (!shards) return shards.error();
  const double l2 = setup.l2.value_or(1 / static_cast<double>(data.rows()));
  Layout layout = Layout::flat(data.columns());
  return std::unique_ptr<Task>(std::make_unique<LinearModel>(
      Problem{std::move(data), loss, l2, setup.batch, setup.sampling, std::move(layout)},
      std::move(shards).value()));
}

}  // namespace gossamer
