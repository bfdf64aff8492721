#pragma once

#include <optional>
#include <vector>

#include "gossamer/member/node_host.hpp"
#include "gossamer/member/stop_line.hpp"

namespace gossamer {

/// Where a node waits before its first round until others have come. It is never silent for long:
/// every few seconds it tells for whom it waits, and why these are not there as far as its links
/// know. And when somebody wants to stop it takes a moment for that, and no round: nothing has been
/// done yet that would have to be ended together. In that moment those who have begun already, and
/// now wait for this node, are heard of: then it begins as well, and all stop after a round.
///
///     WaitingRoom room(host, stop);
///     while (!(missing = ...).empty()) {
///       const std::optional<Aside> aside = room.next_aside(deadline, missing);
///       if (room.is_stopped()) ...      // nobody begins
///       if (!aside) ...                 // the deadline has passed
///     }
///
/// All times are the network's. Belongs to the node's thread.
class WaitingRoom {
 public:
  /// Between two events, and before the first.
  static constexpr Duration kTellEvery = std::chrono::seconds(5);

  /// The line may be null; both must outlive it. The wait begins here.
  WaitingRoom(NodeHost& host, StopLine* stop);

  /// NodeHost::next_aside(), for a node that misses these.
  [[nodiscard]] std::optional<Aside> next_aside(Time deadline, const std::vector<NodeId>& missing);

  /// Somebody wants to stop, here or elsewhere, and no round was begun.
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }

 private:
  void look_for_stop();
  void tell(const std::vector<NodeId>& missing) const;

  NodeHost& host_;
  StopLine* stop_;
  Time begin_;
  Time next_told_;
  std::optional<Time> stop_seen_;
  bool is_stopped_ = false;
};

}  // namespace gossamer
