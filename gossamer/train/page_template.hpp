#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer {

/// What stands in a page instead of {{name}}. Refers to both.
struct PagePiece {
  std::string_view name;
  std::string_view text;
};

/// The template with each {{name}} replaced. What was put in is not looked at again: it may hold
/// anything. A name without a piece is a contract violation.
[[nodiscard]] std::string fill_page(std::string_view page, const std::vector<PagePiece>& pieces);

/// JSON that may stand in a script element: nothing in it can end the element.
[[nodiscard]] std::string json_in_script(std::string_view json);

/// Text that may stand between tags of HTML, whatever it holds.
[[nodiscard]] std::string text_in_html(std::string_view text);

}  // namespace gossamer
