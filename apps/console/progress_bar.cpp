#include "apps/console/progress_bar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "apps/console/human.hpp"
#include <fmt/format.h>

#include "gossamer/experiment/dense_traffic.hpp"

namespace gossamer::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenDrawings{100};
constexpr std::size_t kBarWidth = 20;

std::string bar_of(double share, bool has_colour) {
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * kBarWidth);
  const std::string done(full, '#');
  const std::string left(kBarWidth - full, '.');
  return has_colour ? fmt::format("[\033[32m{}\033[0m{}]", done, left)
                    : fmt::format("[{}{}]", done, left);
}

}  // namespace

ProgressBar::ProgressBar(const Experiment& experiment, Round first, Show show)
    : experiment_(experiment),
      first_(first),
      is_shown_(show == Show::kIfTerminal && isatty(STDERR_FILENO) != 0),
      has_colour_(std::getenv("NO_COLOR") == nullptr) {}

ProgressBar::~ProgressBar() {
  take_away();
}

void ProgressBar::tick(const Tick& tick) {
  if (!is_shown_) return;
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - drawn_ < kBetweenDrawings) return;
  drawn_ = now;
  is_drawn_ = true;
  fmt::print(stderr, "\r\033[K{}", line_for(tick));
  std::fflush(stderr);
}

void ProgressBar::note(const Measurement& measurement) {
  const std::lock_guard lock(mutex_);
  last_ = measurement;
  take_away();
}

std::string ProgressBar::line_for(const Tick& tick) const {
  const RunConfig& config = experiment_.config;
  const double share = static_cast<double>(tick.completed) / static_cast<double>(config.rounds);
  std::string line = bar_of(share, has_colour_);
  if (experiment_.rounds_per_epoch) {
    line += fmt::format(" epoch {:.2f}",
                        static_cast<double>(tick.completed) / *experiment_.rounds_per_epoch);
  } else {
    line += fmt::format(" round {}/{}", tick.completed, config.rounds);
  }
  if (tick.loss) line += fmt::format("  loss {:.3f}", *tick.loss);
  if (last_ && last_->tested && last_->tested->mean_model.accuracy)
    line += fmt::format("  accuracy {}", human_percent(*last_->tested->mean_model.accuracy));
  if (last_ && last_->consensus_distance)
    line += fmt::format("  distance {:.1e}", *last_->consensus_distance);
  const auto bytes = static_cast<double>(tick.bytes_sent);
  line += fmt::format("  {}/node", human_bytes(bytes));
  if (bytes > 0)
    line += fmt::format(" ({:.1f}x)", dense_bytes_per_node(experiment_, tick.completed) / bytes);
  const auto done = static_cast<double>(tick.completed - first_);
  if (done > 0) {
    const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
    const auto left = static_cast<double>(config.rounds - tick.completed);
    line += fmt::format("  {} left", human_time(spent / done * left));
  }
  return line;
}

void ProgressBar::take_away() {
  if (!is_drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  is_drawn_ = false;
}

}  // namespace gossamer::cli
