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

/// The same for people to read: quoted only where it must be.
[[nodiscard]] inline std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:=,+@%-";
  const bool is_plain = !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos;
  return is_plain ? std::string(text) : shell_quote(text);
}

}  // namespace gossamer::cli
