#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace gossamer::cli {

/// Seconds that two pieces of work take, measured in turns so that both see the same machine.
/// Medians: a slice of time given to another process counts for neither.
struct Comparison {
  double work = 0.0;
  double baseline = 0.0;
};

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename Work>
double seconds_of(int repetitions, const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repetitions; ++i)
    work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
         repetitions;
}

/// How often to run something in one sample: short work is repeated until the clock's resolution
/// does not matter.
template <typename Work>
int repetitions_for(const Work& work) {
  constexpr double kSample = 200e-6;
  work();
  const double once = seconds_of(1, work);
  return std::clamp(static_cast<int>(kSample / std::max(once, 1e-9)), 1, 10000);
}

template <typename Work, typename Baseline>
Comparison compare(int samples, const Work& work, const Baseline& baseline) {
  const int work_repetitions = repetitions_for(work);
  const int baseline_repetitions = repetitions_for(baseline);
  std::vector<double> work_seconds;
  std::vector<double> baseline_seconds;
  for (int sample = 0; sample < samples; ++sample) {
    baseline_seconds.push_back(seconds_of(baseline_repetitions, baseline));
    work_seconds.push_back(seconds_of(work_repetitions, work));
  }
  return {median(work_seconds), median(baseline_seconds)};
}

}  // namespace gossamer::cli
