#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gossamer::cli {

/// Cuts what one source prints into whole lines, so that several sources can share one output.
class WholeLines {
 public:
  /// The lines that these bytes complete, each with its end.
  [[nodiscard]] std::string take(std::string_view bytes) {
    const std::size_t end = bytes.rfind('\n') + 1;  // 0: there is none
    std::string lines;
    if (end > 0) lines = std::exchange(unfinished_, {}) + std::string(bytes.substr(0, end));
    unfinished_ += bytes.substr(end);
    return unfinished_.size() > kLongest ? lines + finish() : lines;
  }

  /// The last line, if it had no end.
  [[nodiscard]] std::string finish() {
    return unfinished_.empty() ? "" : std::exchange(unfinished_, {}) + "\n";
  }

 private:
  // A source that never ends its line must not take all memory.
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  std::string unfinished_;
};

/// Calls `each` with every line of a text of whole lines, without its end.
template <typename Each>
void for_each_line(std::string_view lines, const Each& each) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    each(lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
}

/// The same lines with something before each.
[[nodiscard]] inline std::string prefixed(std::string_view prefix, std::string_view lines) {
  std::string text;
  for_each_line(lines, [&](std::string_view line) {
    text += prefix;
    text += line;
    text += '\n';
  });
  return text;
}

}  // namespace gossamer::cli
