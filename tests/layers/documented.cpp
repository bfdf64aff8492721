#include "tests/layers/documented.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>

#include <fmt/format.h>

namespace gossamer::testing {
namespace {

bool begins_declaration(std::string_view line) {
  if (line.empty()) return false;
  const char first = line.front();
  return std::isalpha(static_cast<unsigned char>(first)) || first == '[';
}

bool is_forward(std::string_view line) {
  const bool is_type = line.starts_with("class ") || line.starts_with("struct ");
  return is_type && line.ends_with(";") && line.find('{') == line.npos;
}

bool needs_none(std::string_view line) {
  return line.starts_with("namespace ") || line.starts_with("static_assert") || is_forward(line);
}

}  // namespace

std::vector<std::string> undocumented(std::string_view path, std::string_view text) {
  std::vector<std::string> sentences;
  std::istringstream lines{std::string(text)};
  bool begins_group = true;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (begins_group && begins_declaration(line) && !needs_none(line)) {
      sentences.push_back(
          fmt::format("{}:{}: no /// says what this is for: {}", path, number, line));
    }
    // A comment for readers of the file (//) is none for users of the declaration.
    const bool is_plain_comment = line.starts_with("//") && !line.starts_with("///");
    begins_group = line.empty() || is_plain_comment || needs_none(line);
  }
  return sentences;
}

}  // namespace gossamer::testing
