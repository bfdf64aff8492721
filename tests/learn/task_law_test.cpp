// The laws of Objective and Task, over all tasks that are registered.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/learn/task_fixtures.hpp"
#include "tests/support/temporary_file.hpp"
#include "tests/support/vectors.hpp"
#include <gtest/gtest.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/learn/convex/synthetic.hpp"

namespace gossamer::testing {
namespace {

constexpr NodeId kNodes = 4;

struct Case {
  std::string name;
  TaskSetup setup;
};

// Small enough for sanitizers; linear_model_test.cpp sees the built-in sets. Gone with the program.
const std::string& small_data() {
  static const TemporaryFile file(text_of(synthetic_logistic({.rows = 400, .columns = 30})));
  return file.path();
}

// Every task as it comes, with exact gradients, and in what other forms it has.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const TaskInfo& info : tasks()) {
    const std::string name(info.name);
    if (name == "network") continue;  // tests/models has its laws, in float32
    const bool has_data = name == "logistic" || name == "least-squares";
    const TaskSetup plain{
        .task = name, .data = has_data ? small_data() : "", .nodes = kNodes, .seed = 1};
    const auto add_case = [&](const std::string& form, const std::function<void(TaskSetup&)>& set) {
      all.push_back({name + form, plain});
      std::ranges::replace(all.back().name, '-', '_');
      set(all.back().setup);
    };
    add_case("", [](TaskSetup&) {});
    add_case("_exact", [](TaskSetup& setup) { setup.batch = std::nullopt; });
    if (name == "quadratic") add_case("_noise", [](TaskSetup& setup) { setup.noise = 0.5; });
    if (!has_data) continue;
    add_case("_batch", [](TaskSetup& setup) { setup.batch = 7; });
    add_case("_sorted", [](TaskSetup& setup) { setup.partition = "sorted"; });
    add_case("_l2", [](TaskSetup& setup) { setup.l2 = 0.1; });
  }
  return all;
}

class TaskLaw : public ::testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] const TaskSetup& setup() const { return GetParam().setup; }

  [[nodiscard]] std::size_t size() const { return task_->layout().size(); }

  [[nodiscard]] TaskSetup exact_setup() const {
    TaskSetup exact = setup();
    exact.batch = std::nullopt;
    exact.noise = 0;
    return exact;
  }

  [[nodiscard]] static LossAndGradient mean_gradient(const Task& task,
                                                     const std::vector<float>& x) {
    LossAndGradient mean{0, std::vector<float>(x.size(), 0.0f)};
    for (NodeId id = 0; id < kNodes; ++id) {
      const LossAndGradient own = gradient_of(*task.objective_of(id), x, batch_key(id, 0));
      mean.loss += own.loss / kNodes;
      view(mean.gradient) += view(own.gradient) / float{kNodes};
    }
    return mean;
  }

  // Compares derivatives at x with differences of `loss` along some axes.
  void expect_derivatives(const std::vector<float>& g, std::vector<float> x,
                          const std::function<double(const std::vector<float>&)>& loss) const {
    constexpr float kStep = 0x1p-6f;
    // Central differences are off by kStep^2 / 6 times a third derivative, which is 0 or, for
    // logistic losses, at most 0.1; and g was rounded to floats a few times.
    float largest = 0;
    for (const float value : g)
      largest = std::max(largest, std::abs(value));
    const double tolerance =
        0.1 * double{kStep} * double{kStep} / 6 + 4 * 0x1p-24 * (1 + double{largest});
    for (std::size_t j = 0; j < x.size(); j += 1 + x.size() / 9) {
      const float before = x[j];
      x[j] = before + kStep;
      const double above = loss(x);
      x[j] = before - kStep;
      const double below = loss(x);
      x[j] = before;
      EXPECT_NEAR(double{g[j]}, (above - below) / (2 * double{kStep}), tolerance) << "entry " << j;
    }
  }

  std::unique_ptr<Task> task_ = task(setup());
};

TEST_P(TaskLaw, GradientIsAFunctionOfModelAndBatchAlone) {
  const std::vector<float> x = normal_vector(size(), 1);
  const std::vector<float> other = normal_vector(size(), 2);
  const auto first = task_->objective_of(1);
  const LossAndGradient expected = gradient_of(*first, x, batch_key(1, 5));
  (void)gradient_of(*first, other, batch_key(1, 6));
  EXPECT_EQ(gradient_of(*first, x, batch_key(1, 5)), expected);

  const auto neighbour = task_->objective_of(0);
  (void)gradient_of(*neighbour, other, batch_key(0, 5));
  const auto second = task_->objective_of(1);
  EXPECT_EQ(gradient_of(*second, x, batch_key(1, 5)), expected);
  const auto again = task(setup());
  EXPECT_EQ(gradient_of(*again->objective_of(1), x, batch_key(1, 5)), expected);
}

TEST_P(TaskLaw, GradientIsTheDerivativeOfTheLossThatItReturns) {
  const auto objective = task_->objective_of(2);
  for (std::uint64_t round = 0; round < 3; ++round) {
    const std::vector<float> x = grid_model(size(), round);
    const auto loss = [&](const std::vector<float>& at) {
      return gradient_of(*objective, at, batch_key(2, round)).loss;
    };
    expect_derivatives(gradient_of(*objective, x, batch_key(2, round)).gradient, x, loss);
  }
}

TEST_P(TaskLaw, MeanOfExactGradientsIsTheGradientOfTheLoss) {
  const auto whole = task(exact_setup());
  const std::vector<float> x = grid_model(size(), 7);
  const LossAndGradient mean = mean_gradient(*whole, x);
  const auto whole_loss = [&](const std::vector<float>& at) {
    return whole->loss(view(at)).value();
  };
  expect_derivatives(mean.gradient, x, whole_loss);
  // The same sums in another order.
  EXPECT_NEAR(mean.loss, whole_loss(x), 1e-12 * std::abs(mean.loss));
}

TEST_P(TaskLaw, LossIsNowhereBelowTheOptimum) {
  ASSERT_TRUE(task_->optimum().has_value());
  const double optimum = *task_->optimum();
  EXPECT_EQ(task_->optimum(), optimum);
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_GT(task_->loss(view(normal_vector(size(), seed))).value(), optimum);
}

TEST_P(TaskLaw, LossFallsAlongExactGradientsAndNotPastTheOptimum) {
  const auto exact = task(exact_setup());
  const double optimum = *exact->optimum();
  std::vector<float> x(size(), 0.0f);
  double last = exact->loss(view(std::as_const(x))).value();
  for (int t = 0; t < 20; ++t) {
    view(x) -= 0.1f * view(mean_gradient(*exact, x).gradient);  // no curvature is above 10
    const double loss = exact->loss(view(std::as_const(x))).value();
    EXPECT_LT(loss, last);
    EXPECT_GE(loss, optimum * (1 - 1e-12));
    last = loss;
  }
}

TEST_P(TaskLaw, AllNodesStartWithTheSameModel) {
  std::vector<float> first(size(), 1.0f);
  std::vector<float> second(size(), 2.0f);
  const RngKey key{.seed = 4, .purpose = Purpose::kInit};
  task_->objective_of(0)->initialize(key, view(first));
  task_->objective_of(3)->initialize(key, view(second));
  EXPECT_EQ(first, second);
  EXPECT_EQ(task_->objective_of(0)->layout().size(), size());
}

TEST_P(TaskLaw, RefusesNodesAndVectorsThatItDoesNotHave) {
  EXPECT_THROW((void)task_->objective_of(kNodes), ContractViolation);
  std::vector<float> longer(size() + 1);
  EXPECT_THROW((void)task_->loss(view(std::as_const(longer))), ContractViolation);
  EXPECT_THROW((void)gradient_of(*task_->objective_of(0), longer, batch_key(0, 0)),
               ContractViolation);
}

INSTANTIATE_TEST_SUITE_P(All, TaskLaw, ::testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace gossamer::testing
