#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gossamer::testing {

/// `text` with comments and the contents of literals blanked out, except in `#include` lines. Lines
/// keep their numbers.
[[nodiscard]] std::string code_only(std::string_view text);

struct Include {
  char opening = '<';
  std::string_view header;
};

/// What a line of code includes, if anything.
[[nodiscard]] std::optional<Include> include_in(std::string_view line);

/// Letters, digits and underscores.
[[nodiscard]] bool is_name_character(char c);

}  // namespace gossamer::testing
