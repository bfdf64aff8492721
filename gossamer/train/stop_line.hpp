#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// Where all nodes of a process stop when somebody asks for it in the middle of a run: before the
/// same round, which none of them has begun. Nobody then waits for a message that never comes.
///
/// Thread safety: all of it; request() may be called by a signal handler.
class StopLine {
 public:
  void request() { requested_.store(true, std::memory_order_relaxed); }

  /// Every node asks before each of its rounds, and ends if it may not.
  [[nodiscard]] bool may_begin(Round round) {
    const std::lock_guard lock(mutex_);
    if (!line_ && requested_.load(std::memory_order_relaxed)) line_ = std::max(round, latest_ + 1);
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
  std::atomic<bool> requested_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free);
  mutable std::mutex mutex_;
  Round latest_ = 0;  // begun by some node
  std::optional<Round> line_;
};

}  // namespace gossamer
