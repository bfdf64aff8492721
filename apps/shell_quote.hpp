#pragma once

#include <string>
#include <string_view>

namespace gossamer::cli {

/// One word for a POSIX shell, whatever is in the text.
[[nodiscard]] inline std::string shell_quote(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace gossamer::cli
