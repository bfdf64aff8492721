#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <utility>

#include <gtest/gtest.h>

#include "gossamer/network/sim/sim.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer {

using Kind = Arrival::Kind;

inline constexpr Time kNoDeadline = Time::max();

// A message that is so many bytes on the wire.
inline Message frame_of(std::size_t size) {
  ByteWriter writer = Message::writer();
  std::ranges::fill(writer.extend(size - kFrameHeaderSize), std::uint8_t{0});
  return Message(std::move(writer));
}

// 1 MB/s and 10 ms: a megabyte takes 1.010 s.
inline SimSetup slow_network() {
  SimSetup setup;
  setup.bandwidth = 1e6;
  setup.latency = std::chrono::milliseconds(10);
  return setup;
}

inline void simulate(NodeId size, const SimSetup& setup,
                     const std::function<void(Network&)>& node_main) {
  const Result<void> result = run_sim(size, setup, node_main);
  ASSERT_TRUE(result) << result.error().message;
}

// What one node heard, and when.
struct Heard {
  Kind kind;
  NodeId from;
  Round round;
  Duration at;

  bool operator==(const Heard&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Heard& heard) {
  return out << "kind " << static_cast<int>(heard.kind) << " from " << heard.from << " round "
             << heard.round << " at " << heard.at.count() << " ns";
}

inline Heard hear(Network& network, Time deadline = kNoDeadline) {
  const Arrival arrival = network.receive(deadline);
  return {arrival.kind, arrival.from, arrival.round, network.now().time_since_epoch()};
}

}  // namespace gossamer
