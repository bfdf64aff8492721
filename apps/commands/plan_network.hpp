#pragma once

#include <string>

#include "apps/commands/plan_arguments.hpp"

#include "gossamer/network/sim/sim.hpp"

namespace gossamer::cli {

/// The network that the arguments name, and no processors yet. Also decides how many nodes there
/// are, if the arguments do not. Throws BadInput.
[[nodiscard]] SimSetup planned_network(PlanArguments& arguments);

/// In half a sentence.
[[nodiscard]] std::string network_text(const PlanArguments& arguments, const SimSetup& network);

}  // namespace gossamer::cli
