#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "apps/console/bottom_line.hpp"

#include "gossamer/events/sink.hpp"
#include "gossamer/experiment/experiment.hpp"

namespace gossamer::cli {

/// A line at the bottom of the terminal that says how far a run is: epoch, loss, what the last
/// report said, bytes, and the time that is left. Follows the node with the lowest id. Prints
/// nothing where stderr is no terminal: the table's rows are all that a log needs.
class ProgressBar final : public EventListener {
 public:
  /// The experiment must outlive it. `first` is the round that the run begins with.
  ProgressBar(const Experiment& experiment, Round first, BottomLine::Show show);

  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    return line_.is_shown() && (kind == EventKind::kRoundDone || kind == EventKind::kMeasured);
  }

  /// A round: draws the line anew, at most ten times a second. A measurement: what the line says
  /// from now on of accuracy and consensus; takes the line away, since a row follows.
  void take(const Event& event) override;

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] double share_of(Round completed) const;
  [[nodiscard]] std::vector<std::string> words_for(Round completed, const RoundDone& done) const;

  const Experiment& experiment_;
  Round first_;
  BottomLine line_;
  NodeId followed_ = std::numeric_limits<NodeId>::max();
  Clock::time_point begin_ = Clock::now();
  std::optional<Measurement> last_;
};

}  // namespace gossamer::cli
