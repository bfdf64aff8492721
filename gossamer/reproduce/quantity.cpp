#include "gossamer/reproduce/quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

// Three digits, and no exponent where people would not write one.
std::string plain(double value) {
  const double size = std::abs(value);
  if (size >= 99.95 && size < 1e6) return fmt::format("{:.0f}", value);
  return size >= 1e-3 && size < 1e6 ? fmt::format("{:#.3g}", value) : fmt::format("{:.3g}", value);
}

std::string with_unit(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 5> kPrefixes = {"", "k", "M", "G", "T"};
  std::size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < kPrefixes.size()) {
    value /= 1000.0;
    ++prefix;
  }
  return fmt::format("{:.3g} {}{}", value, kPrefixes[prefix], unit);
}

bool is_bytes(std::string_view metric) {
  return metric.ends_with("bytes_per_node") || metric == "bytes_sent_per_node";
}

std::string_view sign_of(Quantity::Kind kind) {
  if (kind == Quantity::Kind::kExact) return "";
  return kind == Quantity::Kind::kMore ? "> " : "< ";
}

// "mean drift" for mean_drift, as words in a sentence.
std::string words(std::string metric) {
  if (grows(metric)) return "accuracy";
  if (is_bytes(metric)) return "bytes";
  if (metric == "seconds") return "time";
  std::ranges::replace(metric, '_', ' ');
  return metric;
}

// What is counted, as "1.02x the ..." and "80x fewer ..." go on.
std::string counted(const Claim& claim) {
  switch (claim.measure) {
    case Measure::kRoundsTo:
      return "rounds";
    case Measure::kBytesTo:
      return "bytes";
    case Measure::kBitsTo:
      return "bits";
    case Measure::kSecondsTo:
      return "time";
    default:
      return words(claim.metric);
  }
}

bool is_counted_in_pieces(const Claim& claim) {
  return claim.measure == Measure::kRoundsTo || claim.measure == Measure::kBytesTo ||
         claim.measure == Measure::kBitsTo || is_bytes(claim.metric);
}

std::string value_text(double value, const Claim& claim) {
  switch (claim.measure) {
    case Measure::kRoundsTo:
      return fmt::format("{:.0f} rounds", value);
    case Measure::kBytesTo:
      return with_unit(value, "B");
    case Measure::kBitsTo:
      return with_unit(value, "bit");
    case Measure::kSecondsTo:
      return fmt::format("{} s", plain(value));
    default:
      break;
  }
  if (grows(claim.metric)) return fmt::format("{:.1f} %", 100.0 * value);
  if (is_bytes(claim.metric)) return with_unit(value, "B");
  if (claim.metric == "seconds") return fmt::format("{} s", plain(value));
  return fmt::format("{} {}", words(claim.metric), plain(value));
}

std::string ratio_text(double ratio, const Claim& claim) {
  if (!claim.over.empty()) return fmt::format("{}x the {}", plain(ratio), counted(claim));
  return fmt::format("{}x {} {}", plain(ratio), is_counted_in_pieces(claim) ? "fewer" : "less",
                     counted(claim));
}

}  // namespace

Quantity operator/(const Quantity& above, const Quantity& below) {
  using Kind = Quantity::Kind;
  expects(above.kind == Kind::kExact || below.kind == Kind::kExact,
          "a ratio has one bound at most");
  expects(below.value != 0.0, "nothing is divided by 0");
  const double value = above.value / below.value;
  if (below.kind == Kind::kExact) return {value, above.kind};
  return {value, below.kind == Kind::kMore ? Kind::kLess : Kind::kMore};
}

std::string quantity_text(const Quantity& quantity, const Claim& claim) {
  const bool is_ratio = !claim.over.empty() || !claim.under.empty();
  return fmt::format(
      "{}{}", sign_of(quantity.kind),
      is_ratio ? ratio_text(quantity.value, claim) : value_text(quantity.value, claim));
}

bool grows(std::string_view metric) {
  return metric.starts_with("test_accuracy");
}

}  // namespace gossamer
