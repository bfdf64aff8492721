#pragma once

#include <string>
#include <string_view>

#include "gossamer/base/result.hpp"
#include "gossamer/base/time.hpp"

namespace gossamer {

/// Bytes per second from `100Mbps` (bits) or `1MBps` (bytes). Factors are decimal: k, M, G, T. Not
/// zero: a link that carries nothing is no link.
[[nodiscard]] Result<double> parse_bandwidth(std::string_view text);

/// `10ms`, `1.5s`, `200us`, `5min`, `2h`, or a bare `0`. Rounded to whole nanoseconds.
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);

/// Texts that parse back to the same value, in the largest unit that keeps them whole or short.
[[nodiscard]] std::string format_bandwidth(double bytes_per_second);
[[nodiscard]] std::string format_duration(Duration duration);

}  // namespace gossamer
