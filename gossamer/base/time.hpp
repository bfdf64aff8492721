#pragma once

#include <chrono>
#include <cstdint>

namespace gossamer {

/// Time is counted in whole nanoseconds, so that sums of simulated delays are exact and the same
/// everywhere.
using Duration = std::chrono::duration<std::int64_t, std::nano>;

/// The clock of a run. It has no now(): only a network knows the time, real or virtual.
struct RunClock {
  using rep = std::int64_t;
  using period = std::nano;
  using duration = Duration;
  using time_point = std::chrono::time_point<RunClock>;
};

/// Nanoseconds since the run began.
using Time = RunClock::time_point;

/// For people and reports; never for arithmetic that decides anything.
[[nodiscard]] constexpr double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// To the nearest nanosecond.
[[nodiscard]] constexpr Duration from_seconds(double seconds) {
  return std::chrono::round<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace gossamer
