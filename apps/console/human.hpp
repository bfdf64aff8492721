#pragma once

#include <string>

namespace gossamer::cli {

/// "3.67 MB"
[[nodiscard]] std::string human_bytes(double bytes);

/// "1:05" minutes and seconds, or "2:01:05".
[[nodiscard]] std::string human_time(double seconds);

/// "89.12 %"
[[nodiscard]] std::string human_percent(double share);

}  // namespace gossamer::cli
