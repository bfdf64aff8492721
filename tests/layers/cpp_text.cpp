#include "tests/layers/cpp_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include <fmt/format.h>

namespace gossamer::testing {
namespace {

// What the text between two places in a file is.
enum class Part { kCode, kIncludeLine, kLineComment, kBlockComment, kLiteral, kRawLiteral };

// Goes through a text once and copies what is code.
class CodeFilter {
 public:
  explicit CodeFilter(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size())
      step();
    return std::move(code_);
  }

 private:
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

  void keep(std::size_t count) {
    code_ += rest().substr(0, count);
    at_ = std::min(at_ + count, text_.size());
  }

  void blank(std::size_t count) {
    for (const char c : rest().substr(0, count))
      code_ += c == '\n' ? '\n' : ' ';
    at_ = std::min(at_ + count, text_.size());
  }

  // Up to and including `end`, or to the end of the text.
  [[nodiscard]] std::size_t length_through(std::string_view end, std::size_t from) const {
    const std::size_t found = rest().find(end, from);
    return found == std::string_view::npos ? rest().size() : found + end.size();
  }

  [[nodiscard]] std::size_t length_of_line() const {
    return std::min(rest().find('\n'), rest().size());
  }

  // A quoted literal: a backslash takes the next character with it, and an unfinished literal ends
  // with its line.
  [[nodiscard]] std::size_t length_of_literal() const {
    const std::string_view text = rest();
    std::size_t i = 1;
    while (i < text.size() && text[i] != text[0] && text[i] != '\n')
      i += text[i] == '\\' ? 2 : 1;
    return std::min(i + 1, text.size());
  }

  [[nodiscard]] std::size_t length_of_raw_literal() const {
    const std::size_t open = std::min(rest().find('('), rest().size());
    const std::string close =
        fmt::format("){}\"", rest().substr(2, open - std::min<std::size_t>(open, 2)));
    return length_through(close, open);
  }

  [[nodiscard]] bool after_name_character() const {
    return at_ > 0 && is_name_character(text_[at_ - 1]);
  }

  [[nodiscard]] Part part() const {
    const std::string_view text = rest();
    if (text.starts_with("//")) return Part::kLineComment;
    if (text.starts_with("/*")) return Part::kBlockComment;
    if (text.starts_with("R\"") && !after_name_character()) return Part::kRawLiteral;
    if (text.front() == '"') return Part::kLiteral;
    // In 1'000 the quote separates digits.
    if (text.front() == '\'' && !after_name_character()) return Part::kLiteral;
    if (text.front() == '#' && include_in(text.substr(0, length_of_line()))) {
      return Part::kIncludeLine;
    }
    return Part::kCode;
  }

  void step() {
    switch (part()) {
      case Part::kCode:
        return keep(1);
      case Part::kIncludeLine:
        return keep(length_of_line());
      case Part::kLineComment:
        return blank(length_of_line());
      case Part::kBlockComment:
        return blank(length_through("*/", 2));
      case Part::kLiteral:
        return blank(length_of_literal());
      case Part::kRawLiteral:
        return blank(length_of_raw_literal());
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string code_;
};

}  // namespace

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::optional<Include> include_in(std::string_view line) {
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  for (const std::string_view word : {"#", "include"}) {
    skip_blanks();
    if (!line.starts_with(word)) return std::nullopt;
    line.remove_prefix(word.size());
  }
  skip_blanks();
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
  const char opening = line.front();
  line.remove_prefix(1);
  return Include{opening, line.substr(0, line.find(opening == '<' ? '>' : '"'))};
}

std::string code_only(std::string_view text) {
  return CodeFilter(text).run();
}

}  // namespace gossamer::testing
