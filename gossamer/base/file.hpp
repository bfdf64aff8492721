#pragma once

#include <string>
#include <vector>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

/// Writes a whole file so that at every moment, even if the machine stops, either the old content
/// or the new is there: a temporary file, fsync, rename, fsync of the folder.
[[nodiscard]] Result<void> write_file(const std::string& path, ByteView bytes);

[[nodiscard]] Result<std::vector<std::uint8_t>> read_file(const std::string& path);

[[nodiscard]] inline ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace gossamer
