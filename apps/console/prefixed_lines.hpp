#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gossamer::cli {

/// Cuts what one source prints into whole lines with a prefix, so that several sources can share
/// one output.
class PrefixedLines {
 public:
  explicit PrefixedLines(std::string prefix) : prefix_(std::move(prefix)) {}

  /// The lines that these bytes complete.
  [[nodiscard]] std::string take(std::string_view bytes) {
    std::string lines;
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
         end = bytes.find('\n')) {
      lines += prefix_ + std::exchange(unfinished_, {});
      lines += bytes.substr(0, end + 1);
      bytes.remove_prefix(end + 1);
    }
    unfinished_ += bytes;
    return unfinished_.size() > kLongest ? lines + finish() : lines;
  }

  /// The last line, if it had no end.
  [[nodiscard]] std::string finish() {
    return unfinished_.empty() ? "" : prefix_ + std::exchange(unfinished_, {}) + "\n";
  }

 private:
  // A source that never ends its line must not take all memory.
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  std::string prefix_;
  std::string unfinished_;
};

}  // namespace gossamer::cli
