#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer {

/// What a page for a browser is made of. All of it is inside, and nothing is loaded.
struct PageParts {
  std::string_view brand;              // above the title
  std::string_view title;              // text, whatever it holds
  std::vector<std::string_view> main;  // HTML of our own, one part below the other
  std::vector<std::string_view> styles;
  std::string_view data;                  // JSON, whatever it holds, for the scripts
  std::vector<std::string_view> scripts;  // in this order; they share their names
};

[[nodiscard]] std::string whole_page(const PageParts& parts);

}  // namespace gossamer
