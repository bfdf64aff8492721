#include "gossamer/learn/convex/synthetic.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

void expect_features_as_promised(const Dataset& set) {
  ASSERT_TRUE(set.is_dense());
  double first = 0;
  double fourth = 0;
  for (std::size_t i = 0; i < set.rows(); ++i) {
    double squares = 0;
    for (const float value : set.row(i).values)
      squares += double{value} * double{value};
    // Each of the entries was rounded once.
    ASSERT_NEAR(squares, 1.0, 2.0 * 0x1p-24);
    first += std::pow(double{set.row(i).values[0]}, 2);
    fourth += std::pow(double{set.row(i).values[3]}, 2);
  }
  // Variances 1 and 1/4 before the scaling, which shrinks rows with a large first entry more.
  EXPECT_GT(first / fourth, 2.0);
  EXPECT_LT(first / fourth, 5.0);
}

TEST(SyntheticLogistic, HasUnitRowsAndBothLabels) {
  const Dataset set = synthetic_logistic({});
  EXPECT_EQ(set.rows(), 4000u);
  EXPECT_EQ(set.columns(), 200u);
  expect_features_as_promised(set);
  double mean = 0;
  for (const double label : set.labels()) {
    ASSERT_EQ(std::abs(label), 1.0);
    mean += label / 4000;
  }
  // Features and w are symmetric about 0, so labels are fair coins: a deviation of 1 / sqrt(4000).
  EXPECT_NEAR(mean, 0.0, 5 / std::sqrt(4000.0));
}

TEST(SyntheticLeastSquares, HasLabelsOfUnitSize) {
  const Dataset set = synthetic_least_squares({});
  expect_features_as_promised(set);
  double squares = 0;
  for (const double label : set.labels())
    squares += label * label / 4000;
  // a.w has the variance sum_j E[a_j^2] w_j^2, about 1 for a typical w.
  EXPECT_GT(squares, 0.3);
  EXPECT_LT(squares, 3.0);
}

TEST(Synthetic, IsAFunctionOfItsSeed) {
  const SyntheticSetup small{.rows = 5, .columns = 3, .seed = 1};
  const auto values = [](const Dataset& set) {
    std::vector<float> all;
    for (std::size_t i = 0; i < set.rows(); ++i)
      all.insert(all.end(), set.row(i).values.begin(), set.row(i).values.end());
    return all;
  };
  EXPECT_EQ(values(synthetic_logistic(small)), values(synthetic_logistic(small)));
  const SyntheticSetup other{.rows = 5, .columns = 3, .seed = 2};
  EXPECT_NE(values(synthetic_logistic(small)), values(synthetic_logistic(other)));
  EXPECT_NE(values(synthetic_logistic(small)), values(synthetic_least_squares(small)));
}

}  // namespace
}  // namespace gossamer
