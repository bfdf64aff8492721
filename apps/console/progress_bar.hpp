#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "gossamer/train/run.hpp"

namespace gossamer::cli {

/// A line at the bottom of the terminal that says how far a run is: epoch, loss, what the last
/// report said, bytes, and the time that is left. Prints nothing where stderr is no terminal: the
/// table's rows are all that a log needs.
///
/// Thread safety: all of it.
class ProgressBar {
 public:
  enum class Show { kIfTerminal, kNever };

  /// The experiment must outlive it. `first` is the round that the run begins with.
  ProgressBar(const Experiment& experiment, Round first, Show show);
  ~ProgressBar();

  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws it anew, at most ten times a second.
  void tick(const Tick& tick);

  /// What the line says from now on of accuracy and consensus. Takes the line away: a row follows.
  void note(const Measurement& measurement);

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::string line_for(const Tick& tick) const;
  void take_away();

  const Experiment& experiment_;
  Round first_;
  bool is_shown_;
  bool has_colour_;
  std::mutex mutex_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point drawn_{};
  bool is_drawn_ = false;
  std::optional<Measurement> last_;
};

}  // namespace gossamer::cli
