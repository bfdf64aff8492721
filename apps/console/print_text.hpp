#pragma once

#include <cstdio>
#include <string_view>

namespace gossamer::cli {

/// Prints, and sees to it that it is seen. An output that takes nothing, as that of a terminal that
/// is gone, is no reason to end what is shown on it.
inline void print_text(std::FILE* out, std::string_view text) {
  (void)std::fwrite(text.data(), 1, text.size(), out);
  (void)std::fflush(out);
}

}  // namespace gossamer::cli
