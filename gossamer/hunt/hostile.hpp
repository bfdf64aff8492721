#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "gossamer/network/network.hpp"

namespace gossamer {

/// What a member sends whose program is broken, or not ours: empty, truncated and garbled frames,
/// numbers that are none, messages of other nodes and other rounds, too many and too large ones.
/// A function of the seed and of `seen`, frames that were sent in this run.
[[nodiscard]] std::vector<Arrival> hostile_frames(std::uint64_t seed, NodeId from, Round round,
                                                  const std::deque<Arrival>& seen);

}  // namespace gossamer
