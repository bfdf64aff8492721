#include "gossamer/math/kernels/thin_product.hpp"

#include <algorithm>

#include "gossamer/base/contract.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gossamer/math/kernels/thin_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>
// clang-format on

HWY_BEFORE_NAMESPACE();

namespace gossamer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Products are summed in single precision over short stretches, and the stretches in double
// precision. The unit in which a stretch rounds is far below the one rounding of the result, and no
// conversion stands in the inner loop. Fused multiply-adds are not used: not every instruction set
// has them, and they round otherwise.
using Tag = hn::CappedTag<float, 8>;
using Floats = hn::Vec<Tag>;

// Sums of a row run in eight lanes: column j belongs to lane j mod 8.
constexpr std::size_t kRowLanes = 8;
constexpr std::size_t kColumnStretch = 32 * kRowLanes;
constexpr std::size_t kRowStretch = 16;

// Rows are taken in groups, and a group in pieces of a few cache lines of each row: many rows are
// on their way from memory at once, where one or two at a time would wait for each line.
constexpr std::size_t kGroupRows = 16;
constexpr std::size_t kPieceColumns = 8 * kRowLanes;

// Adds to the sums of `Rows` rows with `Rank` columns what the columns begin ... end contribute: a
// whole number of lanes. Each number that is loaded is used several times.
template <std::size_t Rows, std::size_t Rank>
HWY_INLINE void AddPiece(const float* m, std::size_t columns, const float* q, std::size_t begin,
                         std::size_t end, float (*sums)[Rank][kRowLanes]) {
  const Tag d;
  for (std::size_t lane = 0; lane < kRowLanes; lane += hn::Lanes(d)) {
    Floats sum[Rows][Rank];
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t k = 0; k < Rank; ++k)
        sum[r][k] = hn::Load(d, sums[r][k] + lane);
    }
    for (std::size_t j = begin + lane; j < end; j += kRowLanes) {
      Floats row[Rows];
      for (std::size_t r = 0; r < Rows; ++r)
        row[r] = hn::LoadU(d, m + r * columns + j);
      for (std::size_t k = 0; k < Rank; ++k) {
        const auto factor = hn::LoadU(d, q + k * columns + j);
        for (std::size_t r = 0; r < Rows; ++r)
          sum[r][k] = hn::Add(sum[r][k], hn::Mul(row[r], factor));
      }
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t k = 0; k < Rank; ++k)
        hn::Store(sum[r][k], d, sums[r][k] + lane);
    }
  }
}

// The single-precision sums of a group of rows over one stretch of columns.
template <std::size_t Rank>
HWY_INLINE void SumStretch(const float* m, std::size_t rows, std::size_t columns, const float* q,
                           std::size_t begin, std::size_t end, float (*sums)[Rank][kRowLanes]) {
  // Eight sums hide the latency of an addition without running out of registers.
  constexpr std::size_t kRows = Rank == 1 ? 8 : Rank == 2 ? 4 : 2;
  const std::size_t whole = begin + (end - begin) / kRowLanes * kRowLanes;
  for (std::size_t piece = begin; piece < whole; piece += kPieceColumns) {
    const std::size_t piece_end = std::min(piece + kPieceColumns, whole);
    std::size_t i = 0;
    for (; i + kRows <= rows; i += kRows)
      AddPiece<kRows, Rank>(m + i * columns, columns, q, piece, piece_end, sums + i);
    for (; i < rows; ++i)
      AddPiece<1, Rank>(m + i * columns, columns, q, piece, piece_end, sums + i);
  }
  for (std::size_t j = whole; j < end; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < Rank; ++k)
        sums[i][k][j - whole] += m[i * columns + j] * q[k * columns + j];
    }
  }
}

template <std::size_t Rank>
void MultiplyGroup(const float* m, std::size_t rows, std::size_t columns, const float* q, float* a,
                   std::size_t a_stride) {
  double totals[kGroupRows][Rank][kRowLanes] = {};
  for (std::size_t begin = 0; begin < columns; begin += kColumnStretch) {
    alignas(32) float sums[kGroupRows][Rank][kRowLanes] = {};
    SumStretch<Rank>(m, rows, columns, q, begin, std::min(begin + kColumnStretch, columns), sums);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < Rank; ++k) {
        for (std::size_t lane = 0; lane < kRowLanes; ++lane)
          totals[i][k][lane] += double{sums[i][k][lane]};
      }
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < Rank; ++k) {
      const double* const t = totals[i][k];
      a[k * a_stride + i] =
          static_cast<float>(((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7])));
    }
  }
}

template <std::size_t Rank>
void MultiplyRank(const float* m, std::size_t rows, std::size_t columns, const float* q, float* a) {
  for (std::size_t i = 0; i < rows; i += kGroupRows)
    MultiplyGroup<Rank>(m + i * columns, std::min(kGroupRows, rows - i), columns, q, a + i, rows);
}

void MultiplyThin(const float* m, std::size_t rows, std::size_t columns, const float* q,
                  std::size_t rank, float* a) {
  switch (rank) {
    case 1:
      return MultiplyRank<1>(m, rows, columns, q, a);
    case 2:
      return MultiplyRank<2>(m, rows, columns, q, a);
    case 3:
      return MultiplyRank<3>(m, rows, columns, q, a);
    default:
      return MultiplyRank<4>(m, rows, columns, q, a);
  }
}

// b_k += sum over a stretch of rows of p_ik * row_i, one row after the other.
template <std::size_t Rank>
void AddRows(const float* m, std::size_t rows, std::size_t columns, const float (*p)[Rank],
             double* b) {
  const Tag d;
  const std::size_t n = hn::Lanes(d);
  const hn::CappedTag<double, 4> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  std::size_t j = 0;
  for (; j + 2 * n <= columns; j += 2 * n) {
    Floats left[Rank];
    Floats right[Rank];
    for (std::size_t k = 0; k < Rank; ++k)
      left[k] = right[k] = hn::Zero(d);
    for (std::size_t r = 0; r < rows; ++r) {
      const auto row_left = hn::LoadU(d, m + r * columns + j);
      const auto row_right = hn::LoadU(d, m + r * columns + j + n);
      hwy::Prefetch(m + r * columns + j + 8 * n);
      for (std::size_t k = 0; k < Rank; ++k) {
        const auto factor = hn::Set(d, p[r][k]);
        left[k] = hn::Add(left[k], hn::Mul(row_left, factor));
        right[k] = hn::Add(right[k], hn::Mul(row_right, factor));
      }
    }
    for (std::size_t k = 0; k < Rank; ++k) {
      alignas(32) float sums[16];
      hn::Store(left[k], d, sums);
      hn::Store(right[k], d, sums + n);
      for (std::size_t lane = 0; lane < 2 * n; lane += hn::Lanes(wide)) {
        double* const total = b + k * columns + j + lane;
        const auto more = hn::PromoteTo(wide, hn::Load(narrow, sums + lane));
        hn::StoreU(hn::Add(hn::LoadU(wide, total), more), wide, total);
      }
    }
  }
  for (; j < columns; ++j) {
    for (std::size_t k = 0; k < Rank; ++k) {
      float sum = 0.0f;
      for (std::size_t r = 0; r < rows; ++r)
        sum += m[r * columns + j] * p[r][k];
      b[k * columns + j] += double{sum};
    }
  }
}

template <std::size_t Rank>
void MultiplyTransposedRank(const float* m, std::size_t rows, std::size_t columns, const float* p,
                            double* b) {
  for (std::size_t begin = 0; begin < rows; begin += kRowStretch) {
    const std::size_t count = std::min(kRowStretch, rows - begin);
    float factors[kRowStretch][Rank];
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t k = 0; k < Rank; ++k)
        factors[r][k] = p[k * rows + begin + r];
    }
    AddRows<Rank>(m + begin * columns, count, columns, factors, b);
  }
}

void MultiplyThinTransposed(const float* m, std::size_t rows, std::size_t columns, const float* p,
                            std::size_t rank, double* b) {
  switch (rank) {
    case 1:
      return MultiplyTransposedRank<1>(m, rows, columns, p, b);
    case 2:
      return MultiplyTransposedRank<2>(m, rows, columns, p, b);
    case 3:
      return MultiplyTransposedRank<3>(m, rows, columns, p, b);
    default:
      return MultiplyTransposedRank<4>(m, rows, columns, p, b);
  }
}

}  // namespace gossamer::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gossamer {

HWY_EXPORT(MultiplyThin);
HWY_EXPORT(MultiplyThinTransposed);

namespace {

// What one pass over the matrix serves; a wider factor takes two.
constexpr std::size_t kRankPerPass = 4;

void expect_shapes(CVec factor, std::size_t factor_length, std::size_t rank, CVec product,
                   std::size_t product_length) {
  expects(rank >= 1 && rank <= kMaxRank, "a thin product has rank 1 to 8");
  expects(static_cast<std::size_t>(factor.size()) == rank * factor_length,
          "the factor has the matrix's shape");
  expects(static_cast<std::size_t>(product.size()) == rank * product_length,
          "the product has the matrix's shape");
}

}  // namespace

void multiply(MatrixView m, CVec q, std::size_t rank, Vec a) {
  expect_shapes(q, m.columns, rank, a, m.rows);
  for (std::size_t k = 0; k < rank; k += kRankPerPass) {
    HWY_DYNAMIC_DISPATCH(MultiplyThin)
    (m.data, m.rows, m.columns, q.data() + k * m.columns, std::min(kRankPerPass, rank - k),
     a.data() + k * m.rows);
  }
}

void multiply_transposed(MatrixView m, CVec p, std::size_t rank, Scratch& scratch, Vec b) {
  expect_shapes(p, m.rows, rank, b, m.columns);
  Scratch::Frame frame(scratch);
  const std::span<double> wide = frame.take<double>(rank * m.columns);
  std::ranges::fill(wide, 0.0);
  for (std::size_t k = 0; k < rank; k += kRankPerPass) {
    HWY_DYNAMIC_DISPATCH(MultiplyThinTransposed)
    (m.data, m.rows, m.columns, p.data() + k * m.rows, std::min(kRankPerPass, rank - k),
     wide.data() + k * m.columns);
  }
  std::ranges::transform(wide, b.data(), [](double value) { return static_cast<float>(value); });
}

}  // namespace gossamer

#endif  // HWY_ONCE
