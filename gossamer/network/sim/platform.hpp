#pragma once

#include <unordered_map>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/network/sim/setup.hpp"

// Only .cpp files of this folder see SimGrid's headers.
namespace simgrid::s4u {
class Engine;
class Host;
class Link;
}  // namespace simgrid::s4u

namespace gossamer {

/// What must be said to SimGrid before its engine is made.
void prepare_simgrid();

/// What SimGrid knows the machines by.
struct SimPlatform {
  std::vector<simgrid::s4u::Host*> hosts;          // by number
  simgrid::s4u::Host* shared_processor = nullptr;  // null: each has its own
  /// Seconds. To SimGrid every link has none: it would add them before the bytes of each message,
  /// where a connection sends one message right behind the other.
  std::unordered_map<const simgrid::s4u::Link*, double> latencies;

  /// Of all links on the way.
  [[nodiscard]] double latency(const simgrid::s4u::Host& from, const simgrid::s4u::Host& to) const;
};

/// The machines of a setup that check_setup() passed, and the network between them.
[[nodiscard]] Result<SimPlatform> make_platform(const simgrid::s4u::Engine& engine,
                                                const Machines& machines, const SimSetup& setup);

}  // namespace gossamer
