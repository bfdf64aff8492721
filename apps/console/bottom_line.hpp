#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace gossamer::cli {

/// How many columns the terminal of this descriptor has; 0: it is no terminal.
[[nodiscard]] std::size_t terminal_width(int descriptor);

/// A bar and some words at the bottom of the terminal that say how far something is. On standard
/// error, and only where that is a terminal. What is printed above it takes it away first.
class BottomLine {
 public:
  enum class Show { kIfTerminal, kNever };

  explicit BottomLine(Show show);
  BottomLine(const BottomLine&) = delete;
  BottomLine& operator=(const BottomLine&) = delete;
  ~BottomLine();

  [[nodiscard]] bool is_shown() const { return is_shown_; }

  /// Whether it may be drawn: at most ten times a second, unless it was taken away.
  [[nodiscard]] bool is_due() const;

  /// The share that is done, and words in the order of what they are worth: those behind the first
  /// that does not fit are left out.
  void draw(double share, const std::vector<std::string>& words);

  void take_away();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_shown_;
  bool has_colour_;
  bool is_drawn_ = false;
  Clock::time_point drawn_{};
};

}  // namespace gossamer::cli
