#include "gossamer/learn/registry.hpp"

#include <cmath>
#include <limits>

#include "tests/learn/task_fixtures.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Tasks, AreListedWithASentence) {
  for (const TaskInfo& info : tasks()) {
    EXPECT_FALSE(info.summary.empty()) << info.name;
    if (info.name == "network") continue;  // needs a module, which tests/models has
    EXPECT_EQ(refusal({.task = std::string(info.name)}), "");
  }
}

TEST(MakeTask, SuggestsTheNearestName) {
  EXPECT_EQ(refusal({.task = "logistics"}),
            "unknown task 'logistics'; did you mean 'logistic'? Valid: logistic, least-squares, "
            "quadratic, network");
}

TEST(MakeTask, NeedsNodes) {
  for (const TaskInfo& info : tasks()) {
    EXPECT_EQ(refusal({.task = std::string(info.name), .nodes = 0}),
              "a task needs at least one node");
  }
}

TEST(MakeTask, RefusesOptionsOfTheQuadraticForSamples) {
  for (const char* name : {"logistic", "least-squares"}) {
    const std::string has_no = std::string(name) + " has no option ";
    const std::string owner = ": it belongs to quadratic";
    EXPECT_EQ(refusal({.task = name, .condition = 5}), has_no + "condition" + owner);
    EXPECT_EQ(refusal({.task = name, .noise = 0.1}), has_no + "noise" + owner);
  }
}

TEST(MakeTask, RefusesADimBesideAFile) {
  for (const std::string name : {"logistic", "least-squares"}) {
    EXPECT_EQ(refusal({.task = name, .data = "a.svm", .dim = 10}),
              name +
                  ": dim is the number of features of the built-in set; 'a.svm' has its own: "
                  "leave dim out");
  }
}

TEST(MakeTask, RefusesOptionsOfSamplesForTheQuadratic) {
  const std::string none = ": it has no samples";
  EXPECT_EQ(refusal({.task = "quadratic", .data = "a.svm"}), "quadratic has no option data" + none);
  EXPECT_EQ(refusal({.task = "quadratic", .l2 = 0.1}), "quadratic has no option l2" + none);
  EXPECT_EQ(refusal({.task = "quadratic", .partition = "sorted"}),
            "quadratic has no option partition" + none);
  EXPECT_EQ(refusal({.task = "quadratic", .batch = 8}), "quadratic has no option batch" + none);
}

TEST(MakeTask, RefusesValuesThatMakeNoSense) {
  EXPECT_EQ(refusal({.task = "logistic", .batch = 0}), "logistic: a batch has at least one sample");
  EXPECT_EQ(
      refusal({.task = "logistic", .batch = 99'999'999'999}),
      "logistic: a batch of 99999999999 samples is too large: the data have 4000, and a batch "
      "has at most 4096");
  EXPECT_EQ(refusal({.task = "logistic", .l2 = -1}),
            "logistic: l2 must be a finite number from 0 on, not -1");
  EXPECT_THAT(refusal({.task = "logistic", .l2 = std::nan("")}), HasSubstr("l2 must be"));
  EXPECT_EQ(refusal({.task = "quadratic", .condition = 0.5}),
            "quadratic: condition must be a finite number from 1 on, not 0.5");
  EXPECT_THAT(refusal({.task = "quadratic", .condition = kInfinity}), HasSubstr("condition must"));
  EXPECT_EQ(refusal({.task = "quadratic", .noise = -2}),
            "quadratic: noise must be a finite number from 0 on, not -2");
  EXPECT_THAT(refusal({.task = "quadratic", .dim = std::size_t{1} << 40}),
              HasSubstr("dim must be at most 134217728"));
  EXPECT_EQ(refusal({.task = "logistic", .dim = 100'001}),
            "logistic: dim must be at most 100000, not 100001");
}

TEST(MakeTask, PassesOnWhatIsWrongWithTheDataAndTheirSplit) {
  EXPECT_EQ(refusal({.task = "logistic", .data = "/nowhere/a.svm"}),
            "cannot read the data file '/nowhere/a.svm'");
  EXPECT_THAT(refusal({.task = "logistic", .partition = "sortd"}),
              HasSubstr("did you mean 'sorted'?"));
  EXPECT_EQ(refusal({.task = "least-squares", .nodes = 4001}),
            "4000 samples are too few for 4001 nodes: each needs at least one");
}

TEST(Quadratic, HasTheDimensionAskedFor) {
  EXPECT_EQ(task({.task = "quadratic"})->layout().size(), 100u);
  EXPECT_EQ(task({.task = "quadratic", .dim = 7})->layout().size(), 7u);
}

TEST(Quadratic, OfOneNodeCanBeSolvedExactly) {
  EXPECT_NEAR(*task({.task = "quadratic", .nodes = 1})->optimum(), 0.0, 1e-25);
}

TEST(Quadratic, HasCurvaturesFromOneToTheCondition) {
  const auto made = task({.task = "quadratic", .nodes = 2, .dim = 1000, .condition = 50});
  const auto objective = made->objective_of(1);
  const auto zero = gradient_of(*objective, std::vector<float>(1000, 0.0f), batch_key(1, 0));
  const auto one = gradient_of(*objective, std::vector<float>(1000, 1.0f), batch_key(1, 0));
  float least = 1e9f;
  float most = 0;
  for (std::size_t j = 0; j < 1000; ++j) {
    const float h = one.gradient[j] - zero.gradient[j];
    least = std::min(least, h);
    most = std::max(most, h);
  }
  // Within the range but for rounding, and near both of its ends: the nearest of 1000 uniform
  // numbers is farther than a hundredth of the way with probability e^-10.
  EXPECT_GE(least, 1 - 1e-4f);
  EXPECT_LE(most, 50 + 1e-4f);
  EXPECT_LT(least, 1.5f);
  EXPECT_GT(most, 49.5f);
}

// 5 million numbers are more than a task keeps; a node's own do not depend on how many nodes there
// are.
TEST(Quadratic, IsTheSameWhereItsBowlsAreTooLargeToKeep) {
  constexpr std::size_t kDim = std::size_t{1} << 20;
  const auto alone = task({.task = "quadratic", .nodes = 1, .dim = kDim});
  const auto among_many = task({.task = "quadratic", .nodes = 5, .dim = kDim});
  const std::vector<float> x(kDim, 0.5f);
  EXPECT_EQ(gradient_of(*alone->objective_of(0), x, batch_key(0, 0)).gradient,
            gradient_of(*among_many->objective_of(0), x, batch_key(0, 0)).gradient);
}

TEST(Quadratic, AddsNoiseOfTheSizeAskedFor) {
  const auto exact = task({.task = "quadratic", .dim = 10000});
  const auto noisy = task({.task = "quadratic", .dim = 10000, .noise = 0.5});
  const std::vector<float> x(10000, 0.0f);
  const auto g = gradient_of(*exact->objective_of(0), x, batch_key(0, 0)).gradient;
  const auto with_noise = gradient_of(*noisy->objective_of(0), x, batch_key(0, 0)).gradient;
  const double variance = double{(view(with_noise) - view(g)).square().mean()};
  // The variance of 10000 normal numbers has a relative deviation of sqrt(2 / 10000).
  EXPECT_NEAR(variance, 0.25, 5 * 0.25 * std::sqrt(2.0 / 10000));
  EXPECT_EQ(noisy->optimum(), exact->optimum());
  EXPECT_NE(gradient_of(*noisy->objective_of(0), x, batch_key(0, 1)).gradient, with_noise);
}

}  // namespace
}  // namespace gossamer::testing
