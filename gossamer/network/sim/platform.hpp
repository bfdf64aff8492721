#pragma once

#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/network/sim/setup.hpp"

// Only .cpp files of this folder see SimGrid's headers.
namespace simgrid::s4u {
class Engine;
class Host;
}  // namespace simgrid::s4u

namespace gossamer {

/// What must be said to SimGrid before its engine is made.
void prepare_simgrid();

/// What SimGrid knows the machines by.
struct SimPlatform {
  std::vector<simgrid::s4u::Host*> hosts;          // by number
  simgrid::s4u::Host* shared_processor = nullptr;  // null: each has its own
};

/// The machines of a setup that check_setup() passed, and the network between them.
[[nodiscard]] Result<SimPlatform> make_platform(const simgrid::s4u::Engine& engine,
                                                const Machines& machines, const SimSetup& setup);

}  // namespace gossamer
