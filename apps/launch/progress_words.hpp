#pragma once

#include <string>
#include <vector>

#include "apps/launch/standings.hpp"

namespace gossamer::cli {

/// What a bar says of a run whose slowest peer has begun, `spent` seconds after the first one had.
/// The most telling first.
[[nodiscard]] std::vector<std::string> progress_words(const Standings& standings,
                                                      const Standing& slowest, double spent);

}  // namespace gossamer::cli
