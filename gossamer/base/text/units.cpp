#include "gossamer/base/text/units.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/text/parse_number.hpp"

namespace gossamer {
namespace {

struct RateUnit {
  std::string_view name;
  double bits_per_second;
};

// Bits first and by size, as format_bandwidth tries them from the largest down.
constexpr std::array<RateUnit, 10> kRateUnits{{{"bps", 1},
                                               {"kbps", 1e3},
                                               {"Mbps", 1e6},
                                               {"Gbps", 1e9},
                                               {"Tbps", 1e12},
                                               {"Bps", 8},
                                               {"kBps", 8e3},
                                               {"MBps", 8e6},
                                               {"GBps", 8e9},
                                               {"TBps", 8e12}}};

constexpr std::size_t kBitUnits = 5;

struct TimeUnit {
  std::string_view name;
  std::int64_t nanoseconds;
};

// Largest first, as format_duration tries them.
constexpr std::array<TimeUnit, 6> kTimeUnits{{{"h", 3'600'000'000'000},
                                              {"min", 60'000'000'000},
                                              {"s", 1'000'000'000},
                                              {"ms", 1'000'000},
                                              {"us", 1'000},
                                              {"ns", 1}}};

struct Quantity {
  std::string_view number;
  std::string_view unit;
};

// Split behind the last digit: an exponent has digits behind its letter, no unit has.
Quantity split_quantity(std::string_view text) {
  const std::size_t end = text.find_last_of("0123456789.") + 1;  // npos + 1 is 0
  return {text.substr(0, end), text.substr(end)};
}

template <typename Units>
auto find_unit(const Units& units, std::string_view name)
    -> std::optional<typename Units::value_type> {
  for (const auto& unit : units) {
    if (unit.name == name) return unit;
  }
  return std::nullopt;
}

}  // namespace

Result<double> parse_bandwidth(std::string_view text) {
  const Quantity quantity = split_quantity(text);
  const auto value = parse_number<double>(quantity.number);
  const auto unit = find_unit(kRateUnits, quantity.unit);
  if (value && unit) {
    // One division after one multiplication: `8bps` is exactly one byte per second.
    const double rate = *value * unit->bits_per_second / 8;
    if (std::isfinite(rate) && rate > 0) return rate;
  }
  return Error{
      fmt::format("'{}' is not a bandwidth; write a positive number and a unit, as in 100Mbps "
                  "(bits) or 12.5MBps "
                  "(bytes)",
                  text)};
}

Result<Duration> parse_duration(std::string_view text) {
  const Quantity quantity = split_quantity(text);
  if (text == "0") return Duration{0};
  const auto unit = find_unit(kTimeUnits, quantity.unit);
  if (unit) {
    // Whole numbers stay exact beyond the 53 bits of a double.
    if (const auto whole = parse_number<std::int64_t>(quantity.number)) {
      if (*whole >= 0 && *whole <= Duration::max().count() / unit->nanoseconds)
        return Duration(*whole * unit->nanoseconds);
    } else if (const auto value = parse_number<double>(quantity.number)) {
      const double nanoseconds = std::round(*value * static_cast<double>(unit->nanoseconds));
      // 2^63 as a double; a NaN is not below it.
      if (nanoseconds >= 0 && nanoseconds < 0x1p63)
        return Duration(static_cast<std::int64_t>(nanoseconds));
    }
  }
  return Error{fmt::format(
      "'{}' is not a duration; write a number from 0 on and a unit, as in 10ms, 1.5s or 5min",
      text)};
}

std::string format_bandwidth(double bytes_per_second) {
  expects(std::isfinite(bytes_per_second) && bytes_per_second > 0, "a bandwidth is positive");
  // Bits first, as links are sold; the largest factor with a number from 1 on. A text that does not
  // parse back (the last bit of a product) gives way to plain bytes, which always does.
  for (std::size_t i = kBitUnits; i-- > 0;) {
    const double value = bytes_per_second * 8 / kRateUnits[i].bits_per_second;
    if (value < 1 || !std::isfinite(value)) continue;
    std::string text = fmt::format("{}{}", value, kRateUnits[i].name);
    const auto parsed = parse_bandwidth(text);
    if (parsed && parsed.value() == bytes_per_second) return text;
  }
  return fmt::format("{}Bps", bytes_per_second);
}

std::string format_duration(Duration duration) {
  expects(duration >= Duration{0}, "a duration is not negative");
  if (duration == Duration{0}) return "0s";
  for (const TimeUnit& unit : kTimeUnits) {
    if (duration.count() % unit.nanoseconds == 0)
      return fmt::format("{}{}", duration.count() / unit.nanoseconds, unit.name);
  }
  return fmt::format("{}ns", duration.count());
}

}  // namespace gossamer
