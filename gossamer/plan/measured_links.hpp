#pragma once

#include <string>
#include <string_view>

#include "gossamer/base/result.hpp"
#include "gossamer/network/sim/sim.hpp"

namespace gossamer {

/// The network between peers, as `gossamer doctor --json` found it.
struct MeasuredLinks {
  NodeId nodes = 0;
  /// The bandwidth of every machine, and a link for every pair.
  SimSetup network;
};

/// Reads what the doctors of all peers printed, in any order. What stands before an object in its
/// line, as `gossamer launch` puts the node there, and lines of other kinds are passed over. Every
/// peer must have found every other; of what was measured twice the better counts.
///
/// A doctor fills the way to one peer at a time, while the others fill theirs: its rates are no
/// shares of the connection, but can be less than all of it. A machine's connection therefore has
/// the best rate from it to any other, or that from any other to it if this is slower; the latency
/// of a pair is half of its shortest round trip.
[[nodiscard]] Result<MeasuredLinks> parse_measured_links(std::string_view text);

[[nodiscard]] Result<MeasuredLinks> read_measured_links(const std::string& path);

}  // namespace gossamer
