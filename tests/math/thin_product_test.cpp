#include "gossamer/math/kernels/thin_product.hpp"

#include <cmath>

#include "tests/math/kernels.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

// The plain twins follow the order that the header promises: stretches of single precision, added
// in double.

std::vector<float> product(const std::vector<float>& m, std::size_t rows, std::size_t columns,
                           const std::vector<float>& q, std::size_t rank) {
  std::vector<float> a(rank * rows);
  for (std::size_t k = 0; k < rank; ++k) {
    for (std::size_t i = 0; i < rows; ++i) {
      double lanes[8] = {};
      for (std::size_t begin = 0; begin < columns; begin += 256) {
        float sums[8] = {};
        for (std::size_t j = begin; j < std::min(begin + 256, columns); ++j) {
          const float term = m[i * columns + j] * q[k * columns + j];
          sums[j % 8] += term;
        }
        for (int lane = 0; lane < 8; ++lane)
          lanes[lane] += double{sums[lane]};
      }
      for (int width = 4; width > 0; width /= 2) {
        for (int lane = 0; lane < width; ++lane)
          lanes[lane] += lanes[lane + width];
      }
      a[k * rows + i] = static_cast<float>(lanes[0]);
    }
  }
  return a;
}

std::vector<float> transposed_product(const std::vector<float>& m, std::size_t rows,
                                      std::size_t columns, const std::vector<float>& p,
                                      std::size_t rank) {
  std::vector<float> b(rank * columns);
  for (std::size_t k = 0; k < rank; ++k) {
    for (std::size_t j = 0; j < columns; ++j) {
      double total = 0.0;
      for (std::size_t begin = 0; begin < rows; begin += 16) {
        float sum = 0.0f;
        for (std::size_t i = begin; i < std::min(begin + 16, rows); ++i) {
          const float term = m[i * columns + j] * p[k * rows + i];
          sum += term;
        }
        total += double{sum};
      }
      b[k * columns + j] = static_cast<float>(total);
    }
  }
  return b;
}

struct ProductShape {
  std::size_t rows;
  std::size_t columns;
};

constexpr ProductShape kProductShapes[] = {{1, 1},    {1, 7},   {2, 8},    {3, 9},
                                           {8, 16},   {17, 15}, {16, 257}, {33, 300},
                                           {5, 1100}, {19, 0},  {0, 5}};

TEST(ThinProduct, EqualsItsTwinForEveryRankAndShape) {
  for (const ProductShape& shape : kProductShapes) {
    const std::vector<float> m = normal_vector(shape.rows * shape.columns, 1);
    const MatrixView matrix{m.data(), shape.rows, shape.columns};
    for (std::size_t rank = 1; rank <= kMaxRank; ++rank) {
      const std::vector<float> q = normal_vector(rank * shape.columns, 2);
      const std::vector<float> p = normal_vector(rank * shape.rows, 3);
      on_every_instruction_set([&] {
        Scratch scratch;
        std::vector<float> a(rank * shape.rows);
        multiply(matrix, view(q), rank, view(a));
        ASSERT_EQ(a, product(m, shape.rows, shape.columns, q, rank))
            << shape.rows << "x" << shape.columns << " rank " << rank;
        std::vector<float> b(rank * shape.columns);
        multiply_transposed(matrix, view(p), rank, scratch, view(b));
        ASSERT_EQ(b, transposed_product(m, shape.rows, shape.columns, p, rank));
      });
    }
  }
}

TEST(ThinProduct, IsAsAccurateAsOneRounding) {
  const std::size_t n = 3000;
  const std::vector<float> m = normal_vector(n, 5);
  const std::vector<float> q = normal_vector(n, 6);
  double exact = 0.0;
  double squares = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    exact += double{m[j]} * q[j];
    squares += double{m[j]} * q[j] * m[j] * q[j];
  }
  std::vector<float> a(1);
  multiply({m.data(), 1, n}, view(q), 1, view(a));
  // Every product rounds by at most 2^-24 of itself, every partial sum of a lane's 32 terms by
  // 2^-24 of a value that is about sqrt(32) terms large. These errors are independent: their root
  // mean square over n terms is below 2^-24 sqrt(1 + 32) sqrt(squares); four times that, and the
  // last rounding.
  EXPECT_NEAR(a[0], exact,
              4.0 * 0x1.0p-24 * std::sqrt(33.0 * squares) + 0x1.0p-24 * std::abs(exact));
}

}  // namespace
}  // namespace gossamer
