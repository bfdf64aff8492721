#include "tests/docs/command_lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace gossamer::testing {
namespace {

bool names_program(std::string_view word) {
  return word == "gossamer" || word == "scripts/run";
}

bool is_option(std::string_view word) {
  return word.size() > 2 && word.starts_with("--") &&
         std::islower(static_cast<unsigned char>(word[2]));
}

// Behind these a shell begins something else.
bool ends_command(std::string_view word) {
  constexpr std::array<std::string_view, 6> kEnds = {"|", "&&", ";", ">", "&", "#"};
  return std::ranges::find(kEnds, word) != kEnds.end();
}

}  // namespace

std::vector<CommandLine> command_lines(std::string_view line) {
  std::vector<CommandLine> found;
  bool is_inside = false;
  std::istringstream stream{std::string(line)};
  for (std::string word; stream >> word;) {
    if (word == "#") break;
    if (names_program(word) || (is_inside && word == "--")) {
      is_inside = true;
      found.emplace_back();
    } else if (ends_command(word)) {
      is_inside = false;
    } else if (is_inside && is_option(word)) {
      found.back().options.push_back(word.substr(0, word.find('=')));
    } else if (is_inside && found.back().options.empty()) {
      found.back().words.push_back(word);
    }
  }
  return found;
}

}  // namespace gossamer::testing
