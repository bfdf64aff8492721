#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/events/measurement.hpp"

namespace gossamer {

/// One number of a measurement, by the name that users know it by: `round`, `error`, ...
struct Figure {
  /// Counts are written without a point where they are whole.
  enum class Kind { kNumber, kCount };

  std::string name;
  double value = 0.0;
  Kind kind = Kind::kNumber;
};

/// All that is told of a measurement, in the order of metrics.jsonl. What was not measured is left
/// out.
[[nodiscard]] std::vector<Figure> figures_of(const Measurement& measurement);

/// The figure of this name; nothing if it was not measured.
[[nodiscard]] std::optional<double> figure(const Measurement& measurement, std::string_view name);

/// The name of every figure that some training has, or some consensus.
[[nodiscard]] const std::vector<std::string>& figure_names_of_training();
[[nodiscard]] const std::vector<std::string>& figure_names_of_consensus();

}  // namespace gossamer
