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

void ProgressBar::take(const Event& event) {
  if (!is_shown_) return;
  if (const auto* const measured = std::get_if<Measured>(&event.what)) {
    last_ = measured->measurement;
    take_away();
  } else if (event.node <= followed_) {
    followed_ = event.node;
    draw(event.round, std::get<RoundDone>(event.what));
  }
}

void ProgressBar::draw(Round completed, const RoundDone& done) {
  const Clock::time_point now = Clock::now();
  if (now - drawn_ < kBetweenDrawings) return;
  drawn_ = now;
  is_drawn_ = true;
  fmt::print(stderr, "\r\033[K{}", line_for(completed, done));
  std::fflush(stderr);
}

std::string ProgressBar::line_for(Round completed, const RoundDone& done) const {
  const RunConfig& config = experiment_.config;
  const double share = static_cast<double>(completed) / static_cast<double>(config.rounds);
  std::string line = bar_of(share, has_colour_);
  if (experiment_.rounds_per_epoch) {
    line += fmt::format(" epoch {:.2f}",
                        static_cast<double>(completed) / *experiment_.rounds_per_epoch);
  } else {
    line += fmt::format(" round {}/{}", completed, config.rounds);
  }
  if (done.loss) line += fmt::format("  loss {:.3f}", *done.loss);
  if (last_ && last_->tested && last_->tested->mean_model.accuracy)
    line += fmt::format("  accuracy {}", human_percent(*last_->tested->mean_model.accuracy));
  if (last_ && last_->consensus_distance)
    line += fmt::format("  distance {:.1e}", *last_->consensus_distance);
  const auto bytes = static_cast<double>(done.bytes_sent);
  line += fmt::format("  {}/node", human_bytes(bytes));
  if (bytes > 0)
    line += fmt::format(" ({:.1f}x)", dense_bytes_per_node(experiment_, completed) / bytes);
  const auto rounds = static_cast<double>(completed - first_);
  if (rounds > 0) {
    const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
    const auto left = static_cast<double>(config.rounds - completed);
    line += fmt::format("  {} left", human_time(spent / rounds * left));
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
