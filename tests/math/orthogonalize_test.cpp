#include "gossamer/math/kernels/orthogonalize.hpp"

#include <cmath>

#include "tests/math/kernels.hpp"
#include <Eigen/Eigenvalues>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

Eigen::MatrixXd matrix_of(const std::vector<float>& columns, std::size_t rank) {
  const auto length = static_cast<Eigen::Index>(columns.size() / rank);
  return Eigen::Map<const Eigen::MatrixXf>(columns.data(), length, static_cast<Eigen::Index>(rank))
      .cast<double>();
}

// The largest eigenvalue of P^T P, which is that of P P^T.
double squared_norm(const std::vector<float>& columns, std::size_t rank) {
  const Eigen::MatrixXd p = matrix_of(columns, rank);
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(p.transpose() * p).eigenvalues().maxCoeff();
}

bool is_zero(const std::vector<float>& columns, std::size_t rank, std::size_t k) {
  const std::size_t length = columns.size() / rank;
  for (std::size_t i = 0; i < length; ++i) {
    if (columns[k * length + i] != 0.0f) return false;
  }
  return true;
}

TEST(Orthogonalize, MakesColumnsOrthonormal) {
  for (const std::size_t length : {8u, 9u, 33u, 1000u}) {
    for (std::size_t rank = 1; rank <= 8; ++rank) {
      std::vector<float> columns = normal_vector(length * rank, 10 * length + rank);
      EXPECT_EQ(orthogonalize(view(columns), rank), 0u);
      const Eigen::MatrixXd p = matrix_of(columns, rank);
      const Eigen::MatrixXd error =
          p.transpose() * p - Eigen::MatrixXd::Identity(p.cols(), p.cols());
      EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-6) << length << " rank " << rank;
    }
  }
}

TEST(Orthogonalize, KeepsTheSpanOfTheFirstColumns) {
  const std::vector<float> given = normal_vector(300, 1);
  std::vector<float> columns = given;
  orthogonalize(view(columns), 3);
  const Eigen::MatrixXd p = matrix_of(columns, 3);
  const Eigen::MatrixXd before = matrix_of(given, 3);
  const Eigen::MatrixXd triangle = p.transpose() * before;
  EXPECT_LT((p * triangle - before).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT(std::abs(triangle(1, 0)) + std::abs(triangle(2, 0)) + std::abs(triangle(2, 1)), 1e-5);
  EXPECT_GT(triangle(0, 0), 0.0);
}

// Two columns that differ by 1e-3 of their length: one pass of single precision would leave an
// angle of some 1e-4 to the right one.
TEST(Orthogonalize, StaysOrthogonalWhereColumnsNearlyAgree) {
  const std::vector<float> first = normal_vector(1000, 3);
  const std::vector<float> other = normal_vector(1000, 4);
  std::vector<float> columns = first;
  for (std::size_t i = 0; i < first.size(); ++i)
    columns.push_back(first[i] + 1e-3f * other[i]);
  EXPECT_EQ(orthogonalize(view(columns), 2), 0u);
  const Eigen::MatrixXd p = matrix_of(columns, 2);
  EXPECT_LT(std::abs(p.col(0).dot(p.col(1))), 1e-6);
}

// Division by norm + 1e-8 without a second pass blows noise up to |P P^T| = 2.37 here.
TEST(Orthogonalize, IsAProjectionWhateverRankItIsGiven) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<float> direction = normal_vector(100, seed);
    std::vector<float> columns;
    for (const float factor : {1.0f, -0.37f, 1e-6f, 3e5f}) {
      for (const float value : direction)
        columns.push_back(factor * value);
    }
    EXPECT_EQ(orthogonalize(view(columns), 4), 3u);
    EXPECT_LT(squared_norm(columns, 4), 1.0 + 1e-5);
    EXPECT_GT(squared_norm(columns, 4), 1.0 - 1e-5);
    EXPECT_FALSE(is_zero(columns, 4, 0));
    for (std::size_t k = 1; k < 4; ++k)
      EXPECT_TRUE(is_zero(columns, 4, k));
  }
}

TEST(Orthogonalize, IsAProjectionForProductsOfALowRankMatrix) {
  // P = M Q with M of rank 2 and four columns, rounded: what a low-rank difference gives.
  const std::vector<float> m = normal_vector(200, 5);
  const std::vector<float> q = normal_vector(8, 6);
  std::vector<float> columns(400);
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < 100; ++i)
      columns[k * 100 + i] = m[i] * q[k] + m[100 + i] * q[4 + k];
  }
  EXPECT_EQ(orthogonalize(view(columns), 4), 2u);
  EXPECT_LT(squared_norm(columns, 4), 1.0 + 1e-5);
}

TEST(Orthogonalize, LeavesZeroColumnsZeroAndTheOthersRight) {
  std::vector<float> columns(90, 0.0f);
  const std::vector<float> middle = normal_vector(30, 7);
  std::copy(middle.begin(), middle.end(), columns.begin() + 30);
  EXPECT_EQ(orthogonalize(view(columns), 3), 2u);
  EXPECT_TRUE(is_zero(columns, 3, 0));
  EXPECT_FALSE(is_zero(columns, 3, 1));
  EXPECT_TRUE(is_zero(columns, 3, 2));
  EXPECT_NEAR(squared_norm(columns, 3), 1.0, 1e-6);
}

TEST(Orthogonalize, NormalisesOneColumnHoweverLongItIs) {
  for (const float length : {1e-42f, 1e-20f, 1.0f, 1e20f, 1e37f}) {
    std::vector<float> column(5, length);
    EXPECT_EQ(orthogonalize(view(column), 1), 0u);
    for (const float value : column)
      EXPECT_FLOAT_EQ(value, 1.0f / std::sqrt(5.0f));
  }
}

TEST(Orthogonalize, MoreColumnsThanEntriesLeaveZeros) {
  std::vector<float> columns = normal_vector(15, 8);
  EXPECT_EQ(orthogonalize(view(columns), 5), 2u);
  EXPECT_LT(squared_norm(columns, 5), 1.0 + 1e-5);
}

TEST(Orthogonalize, GivesTheSameBitsOnEveryInstructionSet) {
  const std::vector<float> given = normal_vector(8 * 1031, 9);
  std::vector<float> expected = given;
  orthogonalize(view(expected), 8);
  on_every_instruction_set([&] {
    std::vector<float> columns = given;
    orthogonalize(view(columns), 8);
    EXPECT_EQ(columns, expected);
  });
}

TEST(Orthogonalize, RefusesAVectorThatIsNoNumberOfColumns) {
  std::vector<float> columns(7);
  EXPECT_THROW(orthogonalize(view(columns), 2), ContractViolation);
  EXPECT_THROW(orthogonalize(view(columns), 0), ContractViolation);
}

}  // namespace
}  // namespace gossamer
