#pragma once

#include <span>
#include <string>

#include "tests/peers/cluster.hpp"

namespace gossamer::testing {

/// A ring of six peers, one of which is killed, and started again while the others go on.
class LostAndBack {
 public:
  static constexpr NodeId kPeers = 6;
  static constexpr NodeId kKilled = 2;
  static constexpr NodeId kSides[] = {1, 3};
  /// Is held, and all others wait for it: the run must not be over before the one that was killed
  /// is there again. Its neighbours, who are not those of the one that is killed, have more
  /// patience with it than it is held for.
  static constexpr NodeId kPacemaker = 5;
  static constexpr NodeId kPatient[] = {0, 4, 5};

  /// How peers are told to go on without one that is lost, and when it is.
  [[nodiscard]] static Arguments drop() {
    return {"--on-peer-loss", "drop", "--peer-deadline", "2s", "--patience", "60s"};
  }

  [[nodiscard]] Cluster& cluster() { return cluster_; }

  [[nodiscard]] std::string path(const std::string& inside) const { return cluster_.path(inside); }

  /// All, with drop() among their settings.
  void start_all(const Arguments& settings);

  /// Until it has printed the text there.
  void wait_for(NodeId node, std::string ProgramResult::*output, const std::string& text);

  /// When all have reported this round. Returns when they have ended.
  void interrupt_all(Round round);

  /// When it has reported this round. Returns when the nodes beside it go on without it, and all
  /// others wait.
  void lose_one(int signal, Round round);

  void kill_one(Round round);

  /// Returns when both neighbours have it again.
  void start_again(const Arguments& settings);

  /// Nobody waits any more.
  void release() { cluster_.peer(kPacemaker).release(); }

 private:
  Cluster cluster_{kPeers};
};

}  // namespace gossamer::testing
