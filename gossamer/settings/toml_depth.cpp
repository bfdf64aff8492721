#include "gossamer/settings/toml_depth.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include <fmt/format.h>

namespace gossamer {
namespace {

// Settings have keys of three parts, and lists of lists.
constexpr std::size_t kMostParts = 32;
constexpr std::size_t kMostLevels = 32;

/// Goes through a text as the parser does, as far as it is TOML: behind the first mistake the
/// parser does not get.
class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : rest_(text) {}

  [[nodiscard]] Result<void> run() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '"' || c == '\'') {
        skip_text(c);
        continue;
      }
      rest_.remove_prefix(1);
      if (c == '#') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        continue;
      }
      count(c);
      if (parts_ > kMostParts)
        return too_deep(fmt::format("a key has at most {} parts", kMostParts));
      if (levels_ > kMostLevels) {
        return too_deep(
            fmt::format("lists and tables are nested at most {} levels deep", kMostLevels));
      }
      if (c == '\n') ++line_;
    }
    return {};
  }

 private:
  // Dots that are not between parts of a key are in numbers and dates, which have few.
  void count(char c) {
    constexpr std::string_view kEndsKeys = "=,[]{}\n";
    if (c == '.') ++parts_;
    if (kEndsKeys.find(c) != std::string_view::npos) parts_ = 1;
    if (c == '[' || c == '{') ++levels_;
    if ((c == ']' || c == '}') && levels_ > 0) --levels_;
  }

  // A text in quotes, of one line or of many; it may be part of a key.
  void skip_text(char quote) {
    const std::string many(3, quote);
    const bool is_long = rest_.starts_with(many);
    rest_.remove_prefix(is_long ? many.size() : 1);
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (is_long ? rest_.starts_with(many) : c == quote || c == '\n') break;
      if (c == '\n') ++line_;
      const bool is_escape = c == '\\' && quote == '"';
      // Of an escaped line end the line is still to be counted.
      if (is_escape && rest_.size() > 1 && rest_[1] != '\n') rest_.remove_prefix(1);
      rest_.remove_prefix(1);
    }
    // A line ends a short one, wrongly; of a long one, two more quotes may be its last letters.
    std::size_t last = is_long ? 5 : 1;
    for (; last > 0 && rest_.starts_with(quote); --last)
      rest_.remove_prefix(1);
  }

  [[nodiscard]] Error too_deep(const std::string& rule) const {
    return Error{fmt::format("line {}: {}; this is no file of settings", line_, rule)};
  }

  std::string_view rest_;
  std::size_t line_ = 1;
  std::size_t parts_ = 1;
  std::size_t levels_ = 0;
};

}  // namespace

Result<void> refuse_deep_toml(std::string_view text) {
  return DepthScan(text).run();
}

}  // namespace gossamer
