#include "gossamer/math/kernels/thin_update.hpp"

#include "tests/math/kernels.hpp"

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

struct UpdateShape {
  std::size_t rows;
  std::size_t columns;
};

constexpr UpdateShape kUpdateShapes[] = {{1, 1},  {1, 7},    {2, 8},    {3, 9},    {4, 16}, {5, 33},
                                         {8, 31}, {17, 100}, {6, 1031}, {100, 64}, {19, 0}, {0, 5}};

std::vector<float> sum_of(const UpdateShape& shape, std::vector<float> m,
                          const std::vector<float>& a, const std::vector<float>& b,
                          std::size_t terms, const std::vector<float>& u) {
  for (std::size_t i = 0; i < shape.rows; ++i) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      float sum = 0.0f;
      for (std::size_t k = 0; k < terms; ++k) {
        const float term = a[k * shape.rows + i] * b[k * shape.columns + j];
        sum += term;
      }
      const std::size_t place = i * shape.columns + j;
      if (!u.empty()) sum += u[place];
      m[place] += sum;
    }
  }
  return m;
}

TEST(ThinUpdate, EqualsItsTwinForEveryShapeAndNumberOfTerms) {
  for (const UpdateShape& shape : kUpdateShapes) {
    const std::vector<float> m = normal_vector(shape.rows * shape.columns, 1);
    const std::vector<float> u = normal_vector(shape.rows * shape.columns, 2);
    for (const std::size_t terms : {0u, 1u, 2u, 3u, 8u, 17u}) {
      const std::vector<float> a = normal_vector(terms * shape.rows, 3);
      const std::vector<float> b = normal_vector(terms * shape.columns, 4);
      for (const std::vector<float>& extra : {u, std::vector<float>()}) {
        on_every_instruction_set([&] {
          std::vector<float> sum = m;
          add_thin_products({sum.data(), shape.rows, shape.columns}, view(a), view(b), terms,
                            view(extra));
          ASSERT_EQ(sum, sum_of(shape, m, a, b, terms, extra))
              << shape.rows << "x" << shape.columns << " terms " << terms;
        });
      }
    }
  }
}

TEST(ThinUpdate, RefusesFactorsOfAnotherShape) {
  std::vector<float> m(12);
  const std::vector<float> three(3);
  const std::vector<float> four(4);
  const MutableMatrixView matrix{m.data(), 3, 4};
  const CVec none(nullptr, 0);
  EXPECT_THROW(add_thin_products(matrix, view(four), view(four), 1, none), ContractViolation);
  EXPECT_THROW(add_thin_products(matrix, view(three), view(three), 1, none), ContractViolation);
  EXPECT_THROW(add_thin_products(matrix, view(three), view(four), 1, view(three)),
               ContractViolation);
}

}  // namespace
}  // namespace gossamer
