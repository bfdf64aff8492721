#pragma once

#include <string>
#include <string_view>

namespace gossamer {

/// A text that somebody else may have written, for a line on a terminal. Control characters, which
/// could move the cursor or end the line, and bytes that are no UTF-8 are written as `\x1b`.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace gossamer
