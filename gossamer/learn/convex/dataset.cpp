#include "gossamer/learn/convex/dataset.hpp"

#include <array>
#include <limits>
#include <utility>

#include "gossamer/base/contract.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

// Eight sums side by side: the compiler may not reorder additions, so one alone would wait for
// each addition to end before the next begins.
template <typename Term>
double sum_in_lanes(std::size_t count, Term term) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] += term(i + lane);
  }
  for (; i < count; ++i)
    lanes[i % kLanes] += term(i);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

std::vector<float> spread_out(const SparseRows& rows, std::size_t columns) {
  std::vector<float> dense((rows.begins.size() - 1) * columns, 0.0f);
  for (std::size_t i = 0; i + 1 < rows.begins.size(); ++i) {
    for (std::size_t k = rows.begins[i]; k < rows.begins[i + 1]; ++k)
      dense[i * columns + rows.columns[k]] = rows.values[k];
  }
  return dense;
}

}  // namespace

double dot(const Row& row, CVec x) {
  const float* const values = row.values.data();
  const std::size_t count = row.values.size();
  if (row.is_dense) return dot(CVec(values, static_cast<Eigen::Index>(count)), x);
  const std::uint32_t* const columns = row.columns.data();
  return sum_in_lanes(
      count, [&](std::size_t k) { return double{values[k]} * double{x.data()[columns[k]]}; });
}

double dot(const Row& row, std::span<const double> x) {
  const float* const values = row.values.data();
  const std::size_t count = row.values.size();
  if (row.is_dense)
    return sum_in_lanes(count, [&](std::size_t k) { return double{values[k]} * x[k]; });
  const std::uint32_t* const columns = row.columns.data();
  return sum_in_lanes(count, [&](std::size_t k) { return double{values[k]} * x[columns[k]]; });
}

void add(const Row& row, double a, std::span<double> y) {
  const float* const values = row.values.data();
  const std::size_t count = row.values.size();
  if (row.is_dense) {
    for (std::size_t k = 0; k < count; ++k)
      y[k] += a * double{values[k]};
  } else {
    for (std::size_t k = 0; k < count; ++k)
      y[row.columns[k]] += a * double{values[k]};
  }
}

Dataset Dataset::dense(std::vector<double> labels, std::vector<float> values) {
  expects(!labels.empty() && values.size() % labels.size() == 0,
          "a dense set has rows of one length");
  expects(labels.size() <= std::numeric_limits<std::uint32_t>::max(), "a set has below 2^32 rows");
  Dataset set;
  set.columns_ = values.size() / labels.size();
  set.labels_ = std::move(labels);
  set.sparse_.values = std::move(values);
  set.is_dense_ = true;
  return set;
}

Dataset Dataset::from_rows(std::vector<double> labels, SparseRows rows, std::size_t columns) {
  expects(rows.begins.size() == labels.size() + 1, "a set has one label for each row");
  expects(labels.size() <= std::numeric_limits<std::uint32_t>::max(), "a set has below 2^32 rows");
  if (!labels.empty() && 3 * rows.values.size() >= labels.size() * columns)
    return dense(std::move(labels), spread_out(rows, columns));
  Dataset set;
  set.columns_ = columns;
  set.labels_ = std::move(labels);
  set.sparse_ = std::move(rows);
  return set;
}

}  // namespace gossamer
