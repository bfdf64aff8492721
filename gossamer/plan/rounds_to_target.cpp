#include "gossamer/plan/rounds_to_target.hpp"

#include <algorithm>
#include <cmath>

namespace gossamer {
namespace {

using Source = RoundsToTarget::Source;

// How far a line is trusted, in rounds seen.
constexpr double kFarthest = 100;
// Fewer points lie on a line by chance.
constexpr std::size_t kFewest = 3;

double log_round(const ErrorAfter& point) {
  return std::log(static_cast<double>(std::max(point.round, Round{1})));
}

// A model can be right about everything.
double log_error(double error) {
  return std::log(std::max(error, 1e-9));
}

/// log(error) = level + slope (log(round) - middle)
struct Line {
  double middle = 0;
  double level = 0;
  double slope = 0;

  [[nodiscard]] double log_round_of(double log_of_error) const {
    return middle + (log_of_error - level) / slope;
  }
};

// Least squares.
Line fit(std::span<const ErrorAfter> points) {
  Line line;
  for (const ErrorAfter& point : points) {
    line.middle += log_round(point) / static_cast<double>(points.size());
    line.level += log_error(point.error) / static_cast<double>(points.size());
  }
  double products = 0;
  double squares = 0;
  for (const ErrorAfter& point : points) {
    const double x = log_round(point) - line.middle;
    products += x * (log_error(point.error) - line.level);
    squares += x * x;
  }
  line.slope = squares > 0 ? products / squares : 0.0;
  return line;
}

RoundsToTarget beyond(std::span<const ErrorAfter> run, double target) {
  const std::size_t last = std::max((run.size() + 1) / 2, kFewest);
  if (run.size() < last) return {};
  const Line line = fit(run.last(last));
  if (!(line.slope < 0)) return {};
  const double seen = log_round(run.back());
  // A line through noisy points may be below the last of them.
  const double there = std::max(line.log_round_of(log_error(target)), seen);
  if (there > seen + std::log(kFarthest)) return {};
  return {Source::kExtrapolated, std::exp(there)};
}

}  // namespace

RoundsToTarget rounds_to_target(std::span<const ErrorAfter> run, double target) {
  const auto is_finite = [](const ErrorAfter& point) { return std::isfinite(point.error); };
  if (!std::ranges::all_of(run, is_finite)) return {};
  const auto reached =
      std::ranges::find_if(run, [&](const ErrorAfter& point) { return point.error <= target; });
  if (reached == run.end()) return beyond(run, target);
  if (reached == run.begin()) return {Source::kSeen, static_cast<double>(reached->round)};
  const std::span<const ErrorAfter> around(reached - 1, 2);
  return {Source::kSeen, std::exp(fit(around).log_round_of(log_error(target)))};
}

}  // namespace gossamer
