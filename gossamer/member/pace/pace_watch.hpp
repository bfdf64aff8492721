#pragma once

#include <map>
#include <optional>
#include <vector>

#include "gossamer/member/node_host.hpp"
#include "gossamer/member/pace/pace.hpp"

namespace gossamer {

/// Finds out who holds the run, together with those of its neighbours (pace.hpp), and tells it as
/// an event once it is clear, and again when it is another. Costs two clocks per message that a
/// node waits for, and a few bytes to each neighbour every few seconds.
class PaceWatch {
 public:
  /// What is looked at together: at least so long, by the network's clock, and so many rounds.
  static constexpr Duration kWindow = std::chrono::seconds(5);
  static constexpr Round kRounds = 10;
  /// Nobody is slow for whom others wait less than this in a round.
  static constexpr Duration kLeastWait = std::chrono::milliseconds(5);

  /// `partners`: whom this node talks to, of so many endpoints. The host must outlive it.
  PaceWatch(NodeHost& host, std::vector<NodeId> partners, NodeId endpoints);

  /// Before each round. Nothing of the pace before the first call counts.
  void between_rounds();

  /// An aside that arrives: whether it was for this.
  [[nodiscard]] bool hear(const Aside& aside);

 private:
  [[nodiscard]] Pace pace_until(Time now);
  void begin_window(Time now);
  void tell_partners(const Pace& pace);
  /// Twice the same, and nothing else told before.
  void tell_if_clear(const std::optional<Slowness>& cause);

  NodeHost& host_;
  std::vector<NodeId> partners_;
  NodeId endpoints_;
  std::map<NodeId, Pace> heard_;

  // The running window.
  std::optional<Time> begin_;
  Round first_round_ = 0;
  Duration waited_{};                 // when it began
  std::vector<Duration> waited_for_;  // by partner, when it began

  std::optional<Slowness> last_;
  std::optional<Slowness> told_;
};

}  // namespace gossamer
