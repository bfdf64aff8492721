#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// Where all nodes stop when somebody asks for it in the middle of a run: before the same round,
/// which none of them has begun. Nobody then waits for a message that never comes.
///
/// Nodes of other processes hear of a line later. It is drawn so far ahead that the news, passed on
/// from neighbour to neighbour in front of everything else that they send, reaches each of them
/// before the messages that would bring it to the line. Where several processes draw lines, the
/// nearest holds.
///
/// Thread safety: all of it; request() may be called by a signal handler.
class StopLine {
 public:
  /// Draws lines `ahead` rounds farther, and calls `tell` for each line that is drawn or heard of.
  /// Before the run.
  void tell_others(Round ahead, std::function<void(Round)> tell) {
    const std::lock_guard lock(mutex_);
    ahead_ = ahead;
    tell_ = std::move(tell);
  }

  /// Another process stops before this round.
  void hear(Round line) {
    const std::lock_guard lock(mutex_);
    if (!line_ || line < *line_) draw(line);
  }

  void request() { requested_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] bool is_requested() const { return requested_.load(std::memory_order_relaxed); }

  /// From now on somebody looks whether a stop was requested. Before that a request changes nothing
  /// for a while: whoever hears of a wish to stop had better end the program.
  void attend() { attended_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] bool is_attended() const { return attended_.load(std::memory_order_relaxed); }

  /// For a node that has begun no round yet, because it waits for others: draws the line before the
  /// first one if a stop was requested, and returns whether it is there.
  [[nodiscard]] bool stop_before_begin() {
    const std::lock_guard lock(mutex_);
    if (!line_ && is_requested()) draw(0);
    return line_ == Round{0};
  }

  /// Every node asks before each of its rounds, and ends if it may not.
  [[nodiscard]] bool may_begin(Round round) {
    const std::lock_guard lock(mutex_);
    if (!line_ && is_requested()) draw(std::max(round, latest_ + 1) + ahead_);
    if (line_ && round >= *line_) return false;
    latest_ = std::max(latest_, round);
    return true;
  }

  /// The round before which the nodes stopped, if they did.
  [[nodiscard]] std::optional<Round> line() const {
    const std::lock_guard lock(mutex_);
    return line_;
  }

 private:
  void draw(Round line) {
    line_ = line;
    if (tell_) tell_(line);
  }

  std::atomic<bool> requested_ = false;
  std::atomic<bool> attended_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free);
  mutable std::mutex mutex_;
  Round latest_ = 0;  // begun by some node
  std::optional<Round> line_;
  Round ahead_ = 0;
  std::function<void(Round)> tell_;
};

}  // namespace gossamer
