#include "gossamer/report/page_template.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/report/parts/assets.hpp"

namespace gossamer {
namespace {

// What stands in a page instead of {{name}}.
struct PagePiece {
  std::string_view name;
  std::string text;
};

// The template with each {{name}} replaced. What was put in is not looked at again: it may hold
// anything.
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

std::string joined(const std::vector<std::string_view>& parts) {
  std::string all;
  for (const std::string_view part : parts)
    all += fmt::format("{}{}", part, part.ends_with('\n') ? "" : "\n");
  return all;
}

// Each in an element of its own: a mistake in one leaves the others alone, and all are strict.
std::string script_elements(const std::vector<std::string_view>& scripts) {
  std::string all;
  for (const std::string_view script : scripts)
    all += fmt::format("<script>\n{}\n</script>\n", script);
  return all;
}

}  // namespace

std::string whole_page(const PageParts& parts) {
  return fill_page(report::frame_html(), {{"brand", std::string(parts.brand)},
                                          {"title", text_in_html(parts.title)},
                                          {"main", joined(parts.main)},
                                          {"styles", joined(parts.styles)},
                                          {"data", json_in_script(parts.data)},
                                          {"scripts", script_elements(parts.scripts)}});
}

}  // namespace gossamer
