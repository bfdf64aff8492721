#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gossamer/events/measurement.hpp"

namespace gossamer::cli {

/// One column of a table in one row.
struct Cell {
  std::string_view title;
  int width;
  std::string text;
};

/// What a run's table says of a measurement.
[[nodiscard]] std::vector<Cell> cells_of(const Measurement& measurement);

/// Rows as they come. Whose columns are others than before has its titles above it.
class RowPrinter {
 public:
  /// The row, and what must stand above it. `caption`: what titles do not say; empty: nothing.
  [[nodiscard]] std::string lines_for(const std::vector<Cell>& cells,
                                      std::string_view caption = "");

 private:
  std::string header_;  // of the rows so far
};

}  // namespace gossamer::cli
