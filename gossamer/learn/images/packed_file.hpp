#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// All bytes of a file, unpacked if it is gzipped. An error names the file.
[[nodiscard]] Result<std::vector<std::uint8_t>> read_packed_file(const std::string& path);

/// The path itself, or with `.gz` behind it if only that file is there.
[[nodiscard]] std::string packed_path(const std::string& path);

}  // namespace gossamer
