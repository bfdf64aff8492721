#include "tests/docs/cpp_snippets.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>

#include <fmt/format.h>

namespace gossamer::testing {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

std::optional<std::string> after(std::string_view word, std::string_view note) {
  note = trimmed(note);
  if (!note.starts_with(word)) return std::nullopt;
  return std::string(trimmed(note.substr(word.size())));
}

// Lines of code, and an empty one where some were left out.
std::vector<std::string> code_lines(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    if (trimmed(line) == "// ...") {
      lines.emplace_back();
      continue;
    }
    const std::string_view code = trimmed(std::string_view(line).substr(0, line.find("//")));
    if (!code.empty()) lines.emplace_back(code);
  }
  return lines;
}

bool is_program(const FencedBlock& block) {
  return block.code.find("int main(") != std::string::npos;
}

// The includes of all blocks come first, since a namespace is no place for them.
struct Parts {
  std::string includes;
  std::string rest;
};

Parts parts_of(const FencedBlock& block) {
  Parts parts;
  std::istringstream stream(block.code);
  for (std::string line; std::getline(stream, line);) {
    const bool is_include = line.starts_with("#include");
    parts.includes += is_include ? line + "\n" : "";
    parts.rest += (is_include ? "" : line) + "\n";  // lines keep their numbers
  }
  return parts;
}

}  // namespace

std::optional<std::string> excerpted_file(const FencedBlock& block) {
  return after("excerpt of ", block.note);
}

bool is_excerpt(std::string_view code, std::string_view file) {
  const std::vector<std::string> wanted = code_lines(code);
  const std::vector<std::string> there = code_lines(file);
  if (wanted.empty()) return false;
  auto from = there.begin();
  for (auto begin = wanted.begin(); begin != wanted.end();) {
    const auto end = std::find(begin, wanted.end(), "");
    from = std::search(from, there.end(), begin, end);
    if (from == there.end()) return false;
    from += end - begin;
    begin = end == wanted.end() ? end : end + 1;
  }
  return true;
}

std::string source_of(const std::vector<FencedBlock>& blocks) {
  std::string includes = "#include \"gossamer/gossamer.hpp\"\n";
  // A page shows how a thing is made, and need not use it. A main() that stands in a namespace is
  // no main() any more, and would have to return.
  std::string body =
      "#pragma GCC diagnostic ignored \"-Wunused\"\n"
      "#pragma GCC diagnostic ignored \"-Wreturn-type\"\n\n";
  std::size_t count = 0;
  for (const FencedBlock& block : blocks) {
    if (excerpted_file(block)) continue;
    const auto [own_includes, rest] = parts_of(block);
    includes += own_includes;
    const std::string given = after("given:", block.note).value_or("");
    const std::string code = fmt::format("#line {} \"{}\"\n{}", block.line, block.page, rest);
    const std::string held = is_program(block)
                                 ? fmt::format("{}\n{}", given, code)
                                 : fmt::format("inline void snippet() {{\n{}\n{}}}\n", given, code);
    body += fmt::format("namespace snippet_{} {{\n{}}}\n\n", ++count, held);
  }
  return includes + "\n" + body;
}

}  // namespace gossamer::testing
