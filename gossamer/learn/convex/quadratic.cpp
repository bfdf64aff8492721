// A quadratic for each node, f_i(x) = sum_j h_ij (x_j - b_ij)^2 / 2: the simplest problem on which
// nodes disagree. Curvatures h are uniform in [1, condition], centres b are N(0, 1). The whole loss
// is the mean over the nodes.
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/learn/data_key.hpp"
#include "gossamer/learn/factory.hpp"

namespace gossamer {
namespace {

constexpr std::size_t kDefaultDim = 100;
constexpr std::size_t kMostDimOfQuadratic = std::size_t{1} << 27;
// Numbers of all bowls together that a task keeps; of more it draws each bowl whenever it is
// needed.
constexpr std::size_t kMostKept = std::size_t{1} << 22;

struct Bowl {
  std::vector<float> h;
  std::vector<float> b;
};

/// What decides every node's quadratic.
struct Family {
  std::uint64_t seed;
  std::size_t dim;
  double condition;
  double noise;

  [[nodiscard]] Bowl bowl_of(NodeId id) const {
    Rng rng(data_key(seed, DataStream::kQuadratic, id));
    Bowl bowl{std::vector<float>(dim), std::vector<float>(dim)};
    for (std::size_t j = 0; j < dim; ++j) {
      bowl.h[j] = static_cast<float>(1 + (condition - 1) * rng.uniform());
      bowl.b[j] = static_cast<float>(rng.normal());
    }
    return bowl;
  }
};

class QuadraticObjective final : public Objective {
 public:
  QuadraticObjective(const Layout& layout, std::shared_ptr<const Bowl> bowl, double noise)
      : layout_(layout), bowl_(std::move(bowl)), noise_(noise) {}

  [[nodiscard]] const Layout& layout() const override { return layout_; }

  void initialize(const RngKey& /*key*/, Vec x) const override { x.setZero(); }

  // The noise n of a batch tilts the bowl: it adds n.x to the loss, and so n to the gradient.
  double gradient(CVec x, const RngKey& batch, Vec g) override {
    expects(static_cast<std::size_t>(x.size()) == layout_.size() && x.size() == g.size(),
            "the model and its gradient have the layout's size");
    Rng rng(batch);
    double loss = 0;
    for (std::size_t j = 0; j < layout_.size(); ++j) {
      const double x_j = x.data()[j];
      const double away = x_j - double{bowl_->b[j]};
      const double tilt = noise_ > 0 ? noise_ * rng.normal() : 0;
      const double slope = double{bowl_->h[j]} * away;
      loss += slope * away / 2 + tilt * x_j;
      g.data()[j] = static_cast<float>(slope + tilt);
    }
    return loss;
  }

 private:
  const Layout& layout_;
  std::shared_ptr<const Bowl> bowl_;
  double noise_;
};

class Quadratic final : public Task {
 public:
  Quadratic(const Family& family, NodeId nodes)
      : family_(family),
        nodes_(nodes),
        layout_(Layout::flat(family.dim)),
        mean_h_(family.dim, 0.0),
        best_x_(family.dim, 0.0) {
    keep_bowls();
    find_best_x();
    optimum_ = loss_at_best_x();
  }

  [[nodiscard]] const Layout& layout() const override { return layout_; }

  [[nodiscard]] std::unique_ptr<Objective> objective_of(NodeId id) const override {
    expects(id < nodes_, "a task has an objective for each of its nodes");
    return std::make_unique<QuadraticObjective>(layout_, bowl_of(id), family_.noise);
  }

  // The same as the mean over the nodes, but exact even where the loss is almost the smallest.
  [[nodiscard]] std::optional<double> loss(CVec x) const override {
    expects(static_cast<std::size_t>(x.size()) == layout_.size(),
            "the model has the layout's size");
    double excess = 0;
    for (std::size_t j = 0; j < family_.dim; ++j) {
      const double away = double{x.data()[j]} - best_x_[j];
      excess += mean_h_[j] * away * away / 2;
    }
    return optimum_ + excess;
  }

  [[nodiscard]] std::optional<double> optimum() const override { return optimum_; }

 private:
  // Drawing a bowl takes longer than all else that is done with it here.
  void keep_bowls() {
    if (std::size_t{nodes_} * family_.dim > kMostKept) return;
    for (NodeId id = 0; id < nodes_; ++id)
      bowls_.push_back(std::make_shared<const Bowl>(family_.bowl_of(id)));
  }

  [[nodiscard]] std::shared_ptr<const Bowl> bowl_of(NodeId id) const {
    return bowls_.empty() ? std::make_shared<const Bowl>(family_.bowl_of(id)) : bowls_[id];
  }

  // x*_j = sum_i h_ij b_ij / sum_i h_ij.
  void find_best_x() {
    for (NodeId id = 0; id < nodes_; ++id) {
      const std::shared_ptr<const Bowl> bowl = bowl_of(id);
      for (std::size_t j = 0; j < family_.dim; ++j) {
        mean_h_[j] += double{bowl->h[j]};
        best_x_[j] += double{bowl->h[j]} * double{bowl->b[j]};
      }
    }
    for (std::size_t j = 0; j < family_.dim; ++j) {
      best_x_[j] /= mean_h_[j];
      mean_h_[j] /= nodes_;
    }
  }

  [[nodiscard]] double loss_at_best_x() const {
    double sum = 0;
    for (NodeId id = 0; id < nodes_; ++id) {
      const std::shared_ptr<const Bowl> bowl = bowl_of(id);
      for (std::size_t j = 0; j < family_.dim; ++j) {
        const double away = best_x_[j] - double{bowl->b[j]};
        sum += double{bowl->h[j]} * away * away / 2;
      }
    }
    return sum / nodes_;
  }

  Family family_;
  NodeId nodes_;
  Layout layout_;
  std::vector<std::shared_ptr<const Bowl>> bowls_;  // by node; empty: too large to keep
  std::vector<double> mean_h_;
  std::vector<double> best_x_;
  double optimum_ = 0;
};

Result<void> expect_options(const TaskSetup& setup) {
  const auto has_no = [](const char* option) {
    return Error{fmt::format("quadratic has no option {}: it has no samples", option)};
  };
  const TaskSetup defaults{.task = setup.task};
  if (!setup.data.empty()) return has_no("data");
  if (setup.l2) return has_no("l2");
  if (setup.partition != defaults.partition) return has_no("partition");
  // "All samples" is true of no samples, and what a caller asks for who wants exact gradients.
  if (setup.batch && setup.batch != defaults.batch) return has_no("batch");
  if (setup.sampling != defaults.sampling) return has_no("sampling");
  if (setup.dim > kMostDimOfQuadratic)
    return Error{
        fmt::format("quadratic: dim must be at most {}, not {}", kMostDimOfQuadratic, setup.dim)};
  if (!(std::isfinite(setup.condition) && setup.condition >= 1)) {
    return Error{fmt::format("quadratic: condition must be a finite number from 1 on, not {}",
                             setup.condition)};
  }
  if (!(std::isfinite(setup.noise) && setup.noise >= 0)) {
    return Error{
        fmt::format("quadratic: noise must be a finite number from 0 on, not {}", setup.noise)};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Task>> make_quadratic(const TaskSetup& setup) {
  if (const Result<void> options = expect_options(setup); !options) return options.error();
  const std::size_t dim = setup.dim == 0 ? kDefaultDim : setup.dim;
  return std::unique_ptr<Task>(std::make_unique<Quadratic>(
      Family{setup.seed, dim, setup.condition, setup.noise}, setup.nodes));
}

}  // namespace gossamer
