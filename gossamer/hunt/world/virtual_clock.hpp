#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "gossamer/base/time.hpp"

namespace gossamer {

/// Time that passes from one thing that is due to the next. What is due at one time happens in the
/// order in which it was put down: the same run from the same seed.
class VirtualClock {
 public:
  using Action = std::function<void()>;

  [[nodiscard]] Time now() const { return now_; }

  /// A time that has passed is now.
  void at(Time time, Action action) {
    due_.push({std::max(time, now_), next_++, std::move(action)});
  }

  void after(Duration duration, Action action) { at(now_ + duration, std::move(action)); }

  /// Does the next thing that is due until `limit`. False: there is none.
  bool step(Time limit) {
    if (due_.empty() || due_.top().time > limit) return false;
    // The queue shows its first entry for reading alone.
    Action action = std::move(const_cast<Entry&>(due_.top()).action);
    now_ = due_.top().time;
    due_.pop();
    action();
    return true;
  }

 private:
  struct Entry {
    Time time;
    std::uint64_t number;
    Action action;
  };

  struct IsLater {
    bool operator()(const Entry& a, const Entry& b) const {
      return std::pair(a.time, a.number) > std::pair(b.time, b.number);
    }
  };

  Time now_{};
  std::uint64_t next_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, IsLater> due_;
};

}  // namespace gossamer
