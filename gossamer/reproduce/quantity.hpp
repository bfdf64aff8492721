#pragma once

#include <string>
#include <string_view>

#include "gossamer/reproduce/entry.hpp"

namespace gossamer {

/// A measured number, or a bound on one that nobody waited for.
struct Quantity {
  enum class Kind { kExact, kMore, kLess };

  double value = 0.0;
  Kind kind = Kind::kExact;

  [[nodiscard]] bool is_at_least(double bound) const {
    return kind != Kind::kLess && value >= bound;
  }

  [[nodiscard]] bool is_at_most(double bound) const {
    return kind != Kind::kMore && value <= bound;
  }
};

/// Not of two bounds: that would be no number. The divisor is not 0.
[[nodiscard]] Quantity operator/(const Quantity& above, const Quantity& below);

/// What a claim measured, for people: "1361 rounds", "error 2.6e-07", "1.02x the rounds", "> 80x
/// fewer bits".
[[nodiscard]] std::string quantity_text(const Quantity& quantity, const Claim& claim);

/// Whether more of a metric is better: a target is then reached from below.
[[nodiscard]] bool grows(std::string_view metric);

}  // namespace gossamer
