#pragma once

#include <exception>
#include <string>

namespace gossamer {

/// What torch says of a mistake, without the pages of stack behind it.
[[nodiscard]] inline std::string first_line_of(const std::exception& error) {
  const std::string text = error.what();
  const std::size_t begin = text.find_first_not_of("\n ");
  if (begin == std::string::npos) return "no reason given";
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace gossamer
