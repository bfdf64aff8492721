#include "tests/layers/header_rules.hpp"

#include "tests/layers/cpp_text.hpp"
#include <fmt/format.h>

namespace gossamer::testing {
namespace {

std::string first_line_of_code(std::string_view text) {
  const std::string code = code_only(text);
  const std::size_t begin = code.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return {};
  return code.substr(begin, code.find('\n', begin) - begin);
}

}  // namespace

std::vector<std::string> header_violations(std::string_view path, std::string_view text,
                                           bool has_header) {
  const std::string first = first_line_of_code(text);
  if (path.ends_with(".hpp") && !first.starts_with("#pragma once")) {
    return {fmt::format("{}: a header begins with #pragma once", path)};
  }
  if (path.ends_with(".cpp") && has_header) {
    const std::string own = fmt::format("#include \"{}.hpp\"", path.substr(0, path.size() - 4));
    if (!first.starts_with(own))
      return {fmt::format("{}: begins with {}, its own header", path, own)};
  }
  return {};
}

}  // namespace gossamer::testing
