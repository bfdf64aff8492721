#pragma once

#include <string>
#include <unistd.h>

#include <fmt/format.h>

namespace gossamer::cli {

/// A line for people who wait at a terminal, gone when they need not any more.
class WaitingLine {
 public:
  WaitingLine() = default;
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  ~WaitingLine() { say(""); }

  void say(const std::string& text) const {
    if (is_watched_) fmt::print(stderr, "\r{}\x1b[K", text);
  }

 private:
  bool is_watched_ = ::isatty(STDERR_FILENO) != 0;
};

}  // namespace gossamer::cli
