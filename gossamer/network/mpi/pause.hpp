#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace gossamer {

/// Waiting for what can only be polled for: MPI has no wait that ends at a deadline, and those that
/// it has keep a core busy. Looks again at once for a while, because an answer is often a few
/// microseconds away; then lets others have the core between two looks; then sleeps, longer and
/// longer.
class Pause {
 public:
  static constexpr std::chrono::nanoseconds kLongest = std::chrono::microseconds(200);

  /// Something came: what is waited for next may be near again.
  void reset() { looks_ = 0; }

  /// Between two looks; not longer than `at_most`.
  void operator()(std::chrono::nanoseconds at_most) {
    ++looks_;
    if (looks_ <= kBusyLooks) return;
    if (looks_ <= kBusyLooks + kYieldingLooks) {
      std::this_thread::yield();
      return;
    }
    const int doublings = std::min(looks_ - kBusyLooks - kYieldingLooks, 10);
    const auto sleep = std::min<std::chrono::nanoseconds>(kShortest * (1 << doublings), kLongest);
    std::this_thread::sleep_for(std::min(sleep, at_most));
  }

 private:
  static constexpr std::chrono::nanoseconds kShortest = std::chrono::microseconds(1);
  static constexpr int kBusyLooks = 20;
  static constexpr int kYieldingLooks = 1000;

  int looks_ = 0;
};

}  // namespace gossamer
