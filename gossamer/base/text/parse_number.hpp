#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace gossamer {

/// All of the text as a number, without spaces, in the same way for every locale; nothing if it is
/// not one or does not fit.
template <typename Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace gossamer
