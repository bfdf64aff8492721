#include "gossamer/math/kernels/thin_update.hpp"

#include "gossamer/base/contract.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gossamer/math/kernels/thin_update.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();

namespace gossamer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Entries do not depend on one another, so the order of summation is the same for every width of
// vectors. Fused multiply-adds are not used: not every instruction set has them.
using Tag = hn::ScalableTag<float>;
using Floats = hn::Vec<Tag>;

// Four rows share what is loaded of b; two vectors of each keep eight sums in registers.
constexpr std::size_t kRows = 4;
constexpr std::size_t kVectors = 2;

struct Update {
  std::size_t rows;
  std::size_t columns;
  std::size_t terms;
  const float* a;
  const float* b;
  const float* u;  // may be null
};

// The columns from `begin` on, fewer than a step of AddToRows() takes.
template <std::size_t Rows>
void AddToRest(const Update& update, const float* a, const float* u, std::size_t begin, float* m) {
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t j = begin; j < update.columns; ++j) {
      float sum = 0.0f;
      for (std::size_t k = 0; k < update.terms; ++k)
        sum += a[k * update.rows + r] * update.b[k * update.columns + j];
      const std::size_t place = r * update.columns + j;
      m[place] += u ? sum + u[place] : sum;
    }
  }
}

template <std::size_t Rows>
void AddToRows(const Update& update, std::size_t row, float* m) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const float* const a = update.a + row;
  const float* const u = update.u ? update.u + row * update.columns : nullptr;
  m += row * update.columns;
  std::size_t j = 0;
  for (; j + kVectors * lanes <= update.columns; j += kVectors * lanes) {
    Floats sum[Rows][kVectors];
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v)
        sum[r][v] = hn::Zero(d);
    }
    for (std::size_t k = 0; k < update.terms; ++k) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto factor = hn::LoadU(d, update.b + k * update.columns + j + v * lanes);
        for (std::size_t r = 0; r < Rows; ++r) {
          const auto coefficient = hn::Set(d, a[k * update.rows + r]);
          sum[r][v] = hn::Add(sum[r][v], hn::Mul(coefficient, factor));
        }
      }
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::size_t place = r * update.columns + j + v * lanes;
        if (u) sum[r][v] = hn::Add(sum[r][v], hn::LoadU(d, u + place));
        hn::StoreU(hn::Add(hn::LoadU(d, m + place), sum[r][v]), d, m + place);
      }
    }
  }
  AddToRest<Rows>(update, a, u, j, m);
}

void AddThinProducts(std::size_t rows, std::size_t columns, std::size_t terms, const float* a,
                     const float* b, const float* u, float* m) {
  const Update update{rows, columns, terms, a, b, u};
  std::size_t row = 0;
  for (; row + kRows <= update.rows; row += kRows)
    AddToRows<kRows>(update, row, m);
  for (; row < update.rows; ++row)
    AddToRows<1>(update, row, m);
}

}  // namespace gossamer::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gossamer {

HWY_EXPORT(AddThinProducts);

void add_thin_products(MutableMatrixView m, CVec a, CVec b, std::size_t terms, CVec u) {
  expects(static_cast<std::size_t>(a.size()) == terms * m.rows &&
              static_cast<std::size_t>(b.size()) == terms * m.columns,
          "the factors have the matrix's shape");
  expects(u.size() == 0 || static_cast<std::size_t>(u.size()) == m.rows * m.columns,
          "U has the matrix's shape, or is empty");
  HWY_DYNAMIC_DISPATCH(AddThinProducts)
  (m.rows, m.columns, terms, a.data(), b.data(), u.size() == 0 ? nullptr : u.data(), m.data);
}

}  // namespace gossamer

#endif  // HWY_ONCE
