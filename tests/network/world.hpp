#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/network/network.hpp"

namespace gossamer::testing {

/// A kind of network that the laws are tested on.
struct World {
  std::string name;
  /// Runs the function once for every node and returns when all have ended. Throws what a node
  /// threw that runs in this process.
  std::function<void(NodeId, const std::function<void(Network&)>&)> run;
  /// Whether this node runs in this process.
  std::function<bool(NodeId)> is_here = [](NodeId) { return true; };
  NodeId most_nodes = 24;
};

/// Defined by each program that tests the laws.
[[nodiscard]] std::vector<World> worlds();

/// Bytes that are all the same.
[[nodiscard]] inline Message message_of(std::size_t size, std::uint8_t value) {
  ByteWriter writer = Message::writer();
  std::ranges::fill(writer.extend(size), value);
  return Message(std::move(writer));
}

inline constexpr Time kNever = Time::max();

/// What comes next, however long it takes.
[[nodiscard]] inline Arrival next(Network& network) {
  return network.receive(kNever);
}

}  // namespace gossamer::testing
