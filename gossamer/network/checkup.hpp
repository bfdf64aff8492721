#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/base/time.hpp"
#include "gossamer/network/network.hpp"

namespace gossamer {

/// What a clock on the wall shows, which differs from machine to machine.
using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

struct CheckupSetup {
  /// How long a peer may take for its first answer, and later for any other.
  Duration patience = std::chrono::seconds(10);
  /// Rates are measured with messages that take about as long.
  Duration measured_for = std::chrono::milliseconds(200);
  /// How often everybody is measured. The best counts: others, who measure at the same time, get in
  /// the way of some of them.
  int passes = 1;
  std::string version = {};
  std::function<WallTime()> wall_clock;
  /// Called for each peer that is here, before it is measured first; may be empty.
  std::function<void(NodeId)> before_measuring = {};
};

/// How one node finds one peer.
struct PeerCheckup {
  NodeId peer = 0;
  /// Why the rest is not known, as half a sentence: "it did not answer for 10s". Empty: all is.
  std::string trouble = {};
  std::string version = {};
  Duration round_trip{};        // the shortest of several
  Duration clock_ahead{};       // the peer's clock before ours, to half a round trip
  double bytes_per_second = 0;  // from here to there, while all others measure too
};

/// Measures the ways to these peers, who must do the same at the same time, and answers them until
/// all have finished. Works on any network; in the order of `peers`.
[[nodiscard]] std::vector<PeerCheckup> check_up(Network& network, const std::vector<NodeId>& peers,
                                                const CheckupSetup& setup);

}  // namespace gossamer
