#pragma once

#include <cstddef>

#include "gossamer/math/scratch.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

/// A row-major matrix inside a flat model. Borrows its numbers.
struct MatrixView {
  const float* data;
  std::size_t rows;
  std::size_t columns;
};

/// The widest factor that the products below take.
inline constexpr std::size_t kMaxRank = 8;

// Products of a large matrix with a thin one, whose columns lie one after the other. Every entry is
// summed in an order that depends on the shape alone, in stretches of single precision that are
// added in double precision: both ends of an edge get the same bits, whatever their machines.

/// A = M Q. q holds `rank` columns of m.columns numbers, a gets `rank` columns of m.rows.
void multiply(MatrixView m, CVec q, std::size_t rank, Vec a);

/// B = M^T P. p holds `rank` columns of m.rows numbers, b gets `rank` columns of m.columns.
void multiply_transposed(MatrixView m, CVec p, std::size_t rank, Scratch& scratch, Vec b);

}  // namespace gossamer
