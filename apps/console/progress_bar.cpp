#include "apps/console/progress_bar.hpp"

#include "apps/console/human.hpp"
#include <fmt/format.h>

#include "gossamer/experiment/dense_traffic.hpp"

namespace gossamer::cli {

ProgressBar::ProgressBar(const Experiment& experiment, Round first, BottomLine::Show show)
    : experiment_(experiment), first_(first), line_(show) {}

void ProgressBar::take(const Event& event) {
  if (const auto* const measured = std::get_if<Measured>(&event.what)) {
    last_ = measured->measurement;
    line_.take_away();
  } else if (event.node <= followed_) {
    followed_ = event.node;
    if (line_.is_due())
      line_.draw(share_of(event.round), words_for(event.round, std::get<RoundDone>(event.what)));
  }
}

double ProgressBar::share_of(Round completed) const {
  return static_cast<double>(completed) / static_cast<double>(experiment_.config.rounds);
}

std::vector<std::string> ProgressBar::words_for(Round completed, const RoundDone& done) const {
  const RunConfig& config = experiment_.config;
  std::vector<std::string> words;
  if (experiment_.rounds_per_epoch) {
    words.push_back(fmt::format("epoch {:.2f}",
                                static_cast<double>(completed) / *experiment_.rounds_per_epoch));
  } else {
    words.push_back(fmt::format("round {}/{}", completed, config.rounds));
  }
  const auto rounds = static_cast<double>(completed - first_);
  if (rounds > 0) {
    const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
    const auto left = static_cast<double>(config.rounds - completed);
    words.push_back(fmt::format("{} left", human_time(spent / rounds * left)));
  }
  if (done.loss) words.push_back(fmt::format("loss {:.3f}", *done.loss));
  if (last_ && last_->tested && last_->tested->mean_model.accuracy)
    words.push_back(fmt::format("accuracy {}", human_percent(*last_->tested->mean_model.accuracy)));
  if (last_ && last_->consensus_distance)
    words.push_back(fmt::format("distance {:.1e}", *last_->consensus_distance));
  const auto bytes = static_cast<double>(done.bytes_sent);
  const double ratio = bytes > 0 ? dense_bytes_per_node(experiment_, completed) / bytes : 0.0;
  words.push_back(fmt::format("{}/node", human_bytes(bytes)) +
                  (bytes > 0 ? fmt::format(" ({:.1f}x)", ratio) : ""));
  return words;
}

}  // namespace gossamer::cli
