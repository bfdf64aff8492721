#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::testing {

/// A block of code on a page, between ``` fences.
struct FencedBlock {
  std::string page;
  std::size_t line = 0;  // of its first line of code
  std::string language;
  std::string code;
  /// The HTML comment that stands right before it, which readers do not see; without its brackets.
  std::string note;
};

/// All fenced blocks of a page, in their order.
[[nodiscard]] std::vector<FencedBlock> fenced_blocks(std::string_view page, std::string_view text);

/// A line of a shell, and where it begins.
struct ShellLine {
  std::string page;
  std::size_t line = 0;
  std::string text;
};

/// What a page tells its reader to type: lines of indented blocks and of ```sh blocks, those that
/// end with a backslash joined to the next, and whatever stands between single backticks.
[[nodiscard]] std::vector<ShellLine> shell_lines(std::string_view page, std::string_view text);

/// README.md and all pages of docs/, as paths relative to the repository's root, sorted.
[[nodiscard]] std::vector<std::string> pages();

/// The text of a file of the repository.
[[nodiscard]] std::string repository_text(const std::string& path);

}  // namespace gossamer::testing
