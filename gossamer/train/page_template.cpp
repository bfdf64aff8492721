#include "gossamer/train/page_template.hpp"

#include <algorithm>
#include <cstddef>

#include "gossamer/base/contract.hpp"

namespace gossamer {

std::string fill_page(std::string_view page, const std::vector<PagePiece>& pieces) {
  std::string html;
  while (!page.empty()) {
    const std::size_t open = std::min(page.find("{{"), page.size());
    html += page.substr(0, open);
    page.remove_prefix(open);
    if (page.empty()) break;
    const std::size_t close = page.find("}}");
    expects(close != std::string_view::npos, "a page closes every {{");
    const auto piece = std::ranges::find(pieces, page.substr(2, close - 2), &PagePiece::name);
    expects(piece != pieces.end(), "a page names only what it is given");
    html += piece->text;
    page.remove_prefix(close + 2);
  }
  return html;
}

// Only strings of JSON hold a '<', and without one nothing can end the element.
std::string json_in_script(std::string_view json) {
  std::string text;
  for (const char c : json)
    c == '<' ? text += "\\u003c" : text += c;
  return text;
}

std::string text_in_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace gossamer
