#pragma once

#include <cstdint>
#include <string>

#include "gossamer/base/time.hpp"
#include "gossamer/network/network.hpp"
#include "gossamer/node/state_visitor.hpp"
#include "gossamer/node/timeline.hpp"

namespace gossamer {

/// What a node has sent and spent since its run began, also before the checkpoint that it goes on
/// from.
class Ledger {
 public:
  /// Both must outlive it.
  Ledger(Network& network, const Timeline& timeline) : network_(network), timeline_(timeline) {}

  /// Frames of the algorithm as they were sent, headers included.
  [[nodiscard]] std::uint64_t bytes_sent() const;

  /// The part of them that is no header.
  [[nodiscard]] std::uint64_t payload_bytes() const;

  /// By the run's clock.
  [[nodiscard]] Time now() const { return network_.now() + time_before_; }

  [[nodiscard]] TimeSpent spent() const;

  /// So much of what has passed was no part of the run.
  void leave_out(Duration duration) { time_before_ -= duration; }

  /// After a checkpoint was read: a virtual clock goes on where it was, so that what is scheduled
  /// for later still comes then, and a node that was ahead of the others still is.
  void catch_up();

  void visit_state(StateVisitor& visitor);

 private:
  void visit_spent(StateVisitor& visitor);

  Network& network_;
  const Timeline& timeline_;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t payload_before_ = 0;
  Duration time_before_{};
  TimeSpent spent_before_{};
};

}  // namespace gossamer
