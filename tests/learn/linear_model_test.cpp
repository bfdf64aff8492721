// Logistic regression and least squares: values by hand and golden ones.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/learn/task_fixtures.hpp"
#include "tests/support/temporary_file.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/learn/convex/synthetic.hpp"

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

TaskSetup on_file(const std::string& name, const TemporaryFile& file) {
  return {
      .task = name, .data = file.path(), .l2 = 0, .partition = "contiguous", .batch = std::nullopt};
}

TEST(Logistic, HasTheseValuesByHand) {
  const TemporaryFile file("+1 1:1 2:2\n-1 1:3 2:-4\n");
  TaskSetup setup = on_file("logistic", file);
  setup.l2 = 0.5;
  const auto made = task(setup);
  const auto objective = made->objective_of(0);
  // At 0 each slope is -b/2: the mean of (-1/2)(1, 2) and (1/2)(3, -4).
  const LossAndGradient zero = gradient_of(*objective, {0, 0}, batch_key(0, 0));
  EXPECT_DOUBLE_EQ(zero.loss, std::numbers::ln2);
  EXPECT_THAT(zero.gradient, ElementsAre(0.5f, -1.5f));
  // At (1, 0) the margins are 1 and -3.
  const LossAndGradient one = gradient_of(*objective, {1, 0}, batch_key(0, 0));
  EXPECT_NEAR(one.loss, (std::log1p(std::exp(-1)) + std::log1p(std::exp(3))) / 2 + 0.25, 1e-15);
  const double p1 = 1 / (1 + std::exp(1));
  const double p2 = 1 / (1 + std::exp(-3));
  EXPECT_THAT(one.gradient, ElementsAre(FloatEq(static_cast<float>((-p1 + 3 * p2) / 2 + 0.5)),
                                        FloatEq(static_cast<float>((-2 * p1 - 4 * p2) / 2))));
  EXPECT_EQ(made->loss(view(std::vector<float>{1, 0})), one.loss);
}

TEST(Logistic, DoesNotOverflow) {
  const TemporaryFile file("+1 1:1\n-1 1:2\n");
  const auto objective = task(on_file("logistic", file));
  for (const float x : {1e4f, -1e4f, 1e30f, -1e30f}) {
    const LossAndGradient result = gradient_of(*objective->objective_of(0), {x}, batch_key(0, 0));
    // Whoever is on the wrong side loses its margin.
    EXPECT_DOUBLE_EQ(result.loss, x > 0 ? double{x} : -double{x} / 2);
    EXPECT_THAT(result.gradient, ElementsAre(x > 0 ? 1.0f : -0.5f));
  }
}

TEST(Logistic, TakesZeroForTheNegativeLabel) {
  const TemporaryFile zeros("0 1:1\n1 1:2\n");
  const TemporaryFile signs("-1 1:1\n+1 1:2\n");
  EXPECT_EQ(
      gradient_of(*task(on_file("logistic", zeros))->objective_of(0), {0.5f}, batch_key(0, 0)),
      gradient_of(*task(on_file("logistic", signs))->objective_of(0), {0.5f}, batch_key(0, 0)));
}

TEST(Logistic, RefusesOtherLabels) {
  const std::string rule = "logistic: labels must be -1 and +1, or 0 and 1; beside ";
  const TemporaryFile two("1 1:1\n2 1:1\n");
  EXPECT_EQ(refusal(on_file("logistic", two)), rule + "-1 or +1 sample 2 has 2");
  const TemporaryFile three("1 1:1\n0 1:1\n-1 1:1\n");
  EXPECT_EQ(refusal(on_file("logistic", three)), rule + "0 sample 3 has -1");
}

TEST(Logistic, FindsTheOptimumOfACoin) {
  // Three of four say yes: the best model says 3/4, and its loss is the entropy of that.
  const TemporaryFile file("1 1:1\n1 1:1\n-1 1:1\n1 1:1\n");
  const double entropy = -(0.75 * std::log(0.75) + 0.25 * std::log(0.25));
  EXPECT_NEAR(*task(on_file("logistic", file))->optimum(), entropy, 1e-15);
}

TEST(Logistic, HasTheGoldenOptimumOnTheBuiltInSet) {
  const auto made = task({.task = "logistic"});
  // Measured once; the solver stops where the loss is known to 1e-13.
  EXPECT_NEAR(*made->optimum(), 0.3509262642, 1e-10);
  const std::vector<float> zero(200, 0.0f);
  // 4000 additions.
  EXPECT_NEAR(made->loss(view(zero)).value(), std::numbers::ln2, 4000 * 0x1p-53);
}

TEST(LeastSquares, HasTheseValuesByHand) {
  const TemporaryFile file("1 1:1\n3 1:1\n");
  const auto made = task(on_file("least-squares", file));
  const LossAndGradient zero = gradient_of(*made->objective_of(0), {0}, batch_key(0, 0));
  EXPECT_EQ(zero.loss, 2.5);
  EXPECT_THAT(zero.gradient, ElementsAre(-2.0f));
  EXPECT_NEAR(*made->optimum(), 0.5, 1e-15);  // at x = 2
  TaskSetup ridge = on_file("least-squares", file);
  ridge.l2 = 1;
  EXPECT_NEAR(*task(ridge)->optimum(), 1.5, 1e-15);  // at x = 1: (0 + 4) / 4 + 1/2
}

TEST(LinearModel, PenalisesByOneOverTheNumberOfSamplesUnlessTold) {
  const TemporaryFile file("1 1:1\n3 1:1\n");
  TaskSetup setup = on_file("least-squares", file);
  setup.l2 = std::nullopt;
  const std::vector<float> x = {2};
  EXPECT_EQ(task(setup)->loss(view(x)), 0.5 + 0.5 / 2 * 4);
}

TEST(LinearModel, IsLearnedFromABuiltInSetOfTheDimAskedFor) {
  const TemporaryFile set(text_of(synthetic_logistic({.columns = 7, .seed = 3})));
  const auto built_in = task({.task = "logistic", .seed = 3, .dim = 7});
  EXPECT_EQ(built_in->layout().size(), 7u);
  EXPECT_EQ(built_in->optimum(), task({.task = "logistic", .data = set.path()})->optimum());
  EXPECT_EQ(task({.task = "logistic"})->layout().size(), 200u);
  EXPECT_EQ(task({.task = "least-squares", .dim = 3})->layout().size(), 3u);
}

TEST(LinearModel, IsTheSameOnSparseData) {
  const Dataset set = synthetic_logistic({.rows = 40, .columns = 10, .seed = 3});
  const TemporaryFile dense(text_of(set));
  const TemporaryFile sparse(text_of(set, " 1000:0"));
  const std::vector<float> x = normal_vector(10, 4);
  std::vector<float> wide = x;
  wide.resize(1000, 0.0f);
  for (const std::optional<std::size_t> batch : {std::optional<std::size_t>{}, {1}, {5}}) {
    TaskSetup setup = on_file("logistic", dense);
    setup.l2 = 0.125;
    setup.batch = batch;
    const auto one = task(setup);
    setup.data = sparse.path();
    const auto other = task(setup);
    LossAndGradient expected = gradient_of(*one->objective_of(0), x, batch_key(0, 1));
    LossAndGradient result = gradient_of(*other->objective_of(0), wide, batch_key(0, 1));
    EXPECT_NEAR(result.loss, expected.loss, 1e-14);
    EXPECT_EQ(result.gradient[999], 0.0f);
    for (std::size_t j = 0; j < 10; ++j)
      EXPECT_NEAR(result.gradient[j], expected.gradient[j], 0x1p-22);
    EXPECT_NEAR(*one->optimum(), *other->optimum(), 1e-14);
  }
}

TEST(LinearModel, SumsAWholeShardWithoutLosingDigits) {
  // Added up in floats, 0.1 a hundred thousand times is wrong from the fourth digit on.
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += "0.1 1:1\n";
  const TemporaryFile file(text);
  const auto made = task(on_file("least-squares", file));
  const LossAndGradient zero = gradient_of(*made->objective_of(0), {0}, batch_key(0, 0));
  EXPECT_THAT(zero.gradient, ElementsAre(-0.1f));
}

TEST(LinearModel, DrawsEverySampleOfItsShardEquallyOftenAndNoOther) {
  // At 0 the gradient of a sample with features e_j is -b e_j: it shows who was drawn.
  const TemporaryFile file("1 1:1\n1 2:1\n1 3:1\n1 4:1\n1 5:1\n1 6:1\n");
  TaskSetup setup = on_file("least-squares", file);
  setup.nodes = 2;
  setup.batch = 1;
  const auto made = task(setup);
  const auto second = made->objective_of(1);
  std::vector<int> drawn(6, 0);
  for (Round round = 0; round < 3000; ++round) {
    const LossAndGradient one =
        gradient_of(*second, std::vector<float>(6, 0.0f), batch_key(1, round));
    for (std::size_t j = 0; j < 6; ++j)
      drawn[j] += one.gradient[j] != 0;
  }
  for (const std::size_t j : {0, 1, 2})
    EXPECT_EQ(drawn[j], 0);
  for (const std::size_t j : {3, 4, 5})
    EXPECT_NEAR(drawn[j], 1000, 5 * std::sqrt(3000 * 2.0 / 9));  // binomial
}

TEST(LinearModel, DrawsABatchWithReplacement) {
  const TemporaryFile file("1 1:1\n");
  TaskSetup setup = on_file("least-squares", file);
  setup.batch = 10;
  const LossAndGradient ten = gradient_of(*task(setup)->objective_of(0), {0}, batch_key(0, 0));
  EXPECT_THAT(ten.gradient, ElementsAre(-1.0f));
  EXPECT_DOUBLE_EQ(ten.loss, 0.5);
}

}  // namespace
}  // namespace gossamer::testing
