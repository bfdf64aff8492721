#pragma once

#include <string>
#include <vector>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

/// Writes a whole file so that at every moment, even if the machine stops, either the old content
/// or the new is there: a temporary file, fsync, rename, fsync of the folder. What lies beside it
/// is not touched, whatever its name.
[[nodiscard]] Result<void> write_file(const std::string& path, ByteView bytes);

/// Of a regular file: a pipe or a device is refused, without waiting for it.
[[nodiscard]] Result<std::vector<std::uint8_t>> read_file(const std::string& path);

/// For a file that somebody else opens: refuses what is there and is no regular file, which might
/// make him wait, or never end. Of what is not there he speaks himself.
[[nodiscard]] Result<void> check_is_regular(const std::string& path);

[[nodiscard]] inline ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace gossamer
