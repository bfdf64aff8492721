#pragma once

#include <cstddef>

#include "gossamer/math/vec.hpp"

namespace gossamer {

/// A row-major matrix inside a flat model, to be changed in place. Borrows its numbers.
struct MutableMatrixView {
  float* data;
  std::size_t rows;
  std::size_t columns;
};

/// M += A B^T + U, in one pass over M whatever the number of terms: a holds `terms` columns of
/// m.rows numbers, b as many of m.columns, one after the other. U is a matrix of M's shape, or
/// empty: then it is 0.
///
/// Every entry is m + ((0 + a_1 b_1 + a_2 b_2 + ...) + u), each operation rounded to single
/// precision: the same bits on every machine.
void add_thin_products(MutableMatrixView m, CVec a, CVec b, std::size_t terms, CVec u);

}  // namespace gossamer
