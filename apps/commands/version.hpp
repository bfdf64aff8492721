#pragma once

#include <string>

namespace gossamer::cli {

/// Gossamer's version, and a line for each library that it is built on.
[[nodiscard]] std::string version_text();

/// "gossamer 0.1.0"
[[nodiscard]] std::string short_version();

}  // namespace gossamer::cli
