#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/math/vec.hpp"

namespace gossamer {

/// The features of one sample: values[k] belongs to column columns[k], or to column k if the row
/// is dense and has no list of them. A view into its Dataset.
struct Row {
  std::span<const float> values;
  std::span<const std::uint32_t> columns;
  bool is_dense = false;
};

// Sums run in double precision and in an order that depends on the row alone.

[[nodiscard]] double dot(const Row& row, CVec x);
[[nodiscard]] double dot(const Row& row, std::span<const double> x);

/// y += a row, in double precision.
void add(const Row& row, double a, std::span<double> y);

/// Rows one behind the other: row i holds the entries from begins[i] to begins[i + 1]. Columns
/// ascend within a row.
struct SparseRows {
  std::vector<std::size_t> begins = {0};
  std::vector<std::uint32_t> columns = {};
  std::vector<float> values = {};
};

/// Samples of a learning problem: a label and float features each. At most 2^32 - 1 rows.
///
/// Kept dense where at least a third of the entries are there (then a column list would cost more
/// than the zeros it saves), else row by row in compressed form.
class Dataset {
 public:
  /// `values` holds one row per label, one behind the other.
  [[nodiscard]] static Dataset dense(std::vector<double> labels, std::vector<float> values);

  /// One row per label, in the form that suits their density.
  [[nodiscard]] static Dataset from_rows(std::vector<double> labels, SparseRows rows,
                                         std::size_t columns);

  [[nodiscard]] std::size_t rows() const { return labels_.size(); }

  [[nodiscard]] std::size_t columns() const { return columns_; }

  [[nodiscard]] bool is_dense() const { return is_dense_; }

  [[nodiscard]] std::span<const double> labels() const { return labels_; }

  [[nodiscard]] std::span<double> labels() { return labels_; }

  [[nodiscard]] Row row(std::size_t i) const {
    if (is_dense_) return {std::span(sparse_.values).subspan(i * columns_, columns_), {}, true};
    const std::size_t begin = sparse_.begins[i];
    const std::size_t count = sparse_.begins[i + 1] - begin;
    return {std::span(sparse_.values).subspan(begin, count),
            std::span(sparse_.columns).subspan(begin, count), false};
  }

 private:
  Dataset() = default;

  std::vector<double> labels_;
  SparseRows sparse_;  // of a dense set only the values are used
  std::size_t columns_ = 0;
  bool is_dense_ = false;
};

}  // namespace gossamer
