#include "gossamer/learn/convex/dataset.hpp"

#include <vector>

#include "tests/support/vectors.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using testing::normal_vector;
using testing::view;

// Rows of `columns` numbers as a sparse set would hold them; zeros are left out.
SparseRows without_zeros(const std::vector<float>& values, std::size_t columns) {
  SparseRows rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) {
      rows.columns.push_back(static_cast<std::uint32_t>(i % columns));
      rows.values.push_back(values[i]);
    }
    if ((i + 1) % columns == 0) rows.begins.push_back(rows.values.size());
  }
  return rows;
}

TEST(Dataset, IsDenseFromAThirdOn) {
  const std::vector<float> third = {1, 0, 0, 0, 2, 0};
  EXPECT_TRUE(Dataset::from_rows({1, 2}, without_zeros(third, 3), 3).is_dense());
  const std::vector<float> less = {1, 0, 0, 0, 0, 2, 0, 0};
  EXPECT_FALSE(Dataset::from_rows({1, 2}, without_zeros(less, 4), 4).is_dense());
}

TEST(Dataset, SpreadsOutWhatItKeepsDense) {
  const std::vector<float> values = {1, 0, 3, 0, 5, 6};
  const Dataset set = Dataset::from_rows({-1, 1}, without_zeros(values, 3), 3);
  EXPECT_EQ(set.rows(), 2u);
  EXPECT_EQ(set.columns(), 3u);
  EXPECT_THAT(set.labels(), ElementsAre(-1, 1));
  EXPECT_THAT(set.row(0).values, ElementsAre(1, 0, 3));
  EXPECT_THAT(set.row(1).values, ElementsAre(0, 5, 6));
}

TEST(Dataset, KeepsSparseRowsAsTheyAre) {
  const std::vector<float> values = {0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0};
  const Dataset set = Dataset::from_rows({1, 2, 3}, without_zeros(values, 4), 4);
  EXPECT_THAT(set.row(0).columns, ElementsAre(3u));
  EXPECT_THAT(set.row(0).values, ElementsAre(7));
  EXPECT_TRUE(set.row(1).values.empty());
  EXPECT_FALSE(set.row(1).is_dense);
  const std::vector<double> x = {1, 2, 3, 4};
  EXPECT_EQ(dot(set.row(0), x), 28.0);
  EXPECT_EQ(dot(set.row(1), x), 0.0);
}

TEST(Row, HasTheSameProductsInEveryForm) {
  for (const std::size_t columns : {1u, 7u, 8u, 9u, 200u}) {
    std::vector<float> values = normal_vector(columns, columns);
    const Dataset dense = Dataset::dense({0}, values);
    SparseRows rows = without_zeros(values, columns);
    // Ten times as many columns as entries: this one stays sparse.
    const Dataset sparse = Dataset::from_rows({0}, rows, 10 * columns);
    ASSERT_FALSE(sparse.is_dense());

    std::vector<float> x = normal_vector(10 * columns, 5);
    const std::vector<double> wide(x.begin(), x.end());
    double expected = 0;
    for (std::size_t j = 0; j < columns; ++j)
      expected += double{values[j]} * wide[j];
    // The order of a double's sum: far below a float's rounding.
    const double close = 1e-13 * static_cast<double>(columns);
    EXPECT_NEAR(dot(sparse.row(0), view(std::as_const(x))), expected, close);
    EXPECT_NEAR(dot(sparse.row(0), wide), expected, close);
    EXPECT_NEAR(dot(dense.row(0), wide), expected, close);
    x.resize(columns);
    EXPECT_NEAR(dot(dense.row(0), view(std::as_const(x))), expected, close);

    std::vector<double> from_dense(10 * columns, 1.0);
    std::vector<double> from_sparse = from_dense;
    add(dense.row(0), 0.5, from_dense);
    add(sparse.row(0), 0.5, from_sparse);
    EXPECT_EQ(from_dense, from_sparse);
    EXPECT_EQ(from_dense[0], 1 + 0.5 * double{values[0]});
  }
}

}  // namespace
}  // namespace gossamer
