#include "tests/docs/markdown.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace gossamer::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFence = "```";

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

// The comment that ends with line `last`, if one does.
std::string note_ending_at(const std::vector<std::string>& lines, std::size_t last) {
  if (!lines[last].ends_with("-->")) return {};
  std::string note;
  for (std::size_t i = last + 1; i-- > 0;) {
    note = lines[i] + "\n" + note;
    if (lines[i].starts_with("<!--")) break;
  }
  const std::size_t begin = std::string_view("<!--").size();
  return note.substr(begin, note.rfind("-->") - begin);
}

// Joins a line that ends with a backslash to those that follow.
std::string joined(const std::vector<std::string>& lines, std::size_t& i) {
  std::string text = lines[i];
  while (text.ends_with("\\") && i + 1 < lines.size()) {
    text.pop_back();
    text += lines[++i];
  }
  return text;
}

// What stands between single backticks, which may go on in the next line.
void add_inline(std::string_view page, const std::vector<std::string>& prose,
                std::vector<ShellLine>& found) {
  bool is_code = false;
  ShellLine current;
  for (std::size_t i = 0; i < prose.size(); ++i) {
    for (const char c : prose[i]) {
      if (c != '`') {
        if (is_code) current.text += c;
      } else if (std::exchange(is_code, !is_code)) {
        found.push_back(current);
      } else {
        current = {std::string(page), i + 1, {}};
      }
    }
    if (is_code) current.text += ' ';
    if (prose[i].empty()) is_code = false;
  }
}

}  // namespace

std::vector<FencedBlock> fenced_blocks(std::string_view page, std::string_view text) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<FencedBlock> blocks;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(kFence)) continue;
    FencedBlock& block = blocks.emplace_back();
    block.page = page;
    block.language = lines[i].substr(kFence.size());
    block.line = i + 2;
    if (i > 0) block.note = note_ending_at(lines, i - 1);
    for (++i; i < lines.size() && !lines[i].starts_with(kFence); ++i)
      block.code += lines[i] + "\n";
  }
  return blocks;
}

std::vector<ShellLine> shell_lines(std::string_view page, std::string_view text) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<ShellLine> found;
  std::vector<std::string> prose(lines.size());
  std::string fence;  // of the block that we are in
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t number = i + 1;
    if (lines[i].starts_with(kFence)) {
      fence = fence.empty() ? lines[i] : "";
    } else if (fence == "```sh" || (fence.empty() && lines[i].starts_with("    "))) {
      found.push_back({std::string(page), number, joined(lines, i)});
    } else if (fence.empty()) {
      prose[i] = lines[i];
    }
  }
  add_inline(page, prose, found);
  return found;
}

std::vector<std::string> pages() {
  const fs::path root = GOSSAMER_SOURCE_DIR;
  std::vector<std::string> paths = {"README.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md")
      paths.push_back(entry.path().lexically_relative(root).generic_string());
  }
  std::ranges::sort(paths);
  return paths;
}

std::string repository_text(const std::string& path) {
  std::ifstream file(fs::path(GOSSAMER_SOURCE_DIR) / path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace gossamer::testing
