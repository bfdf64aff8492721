#pragma once

#include <optional>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {

/// Holds a topology to the laws of topology.hpp in time proportional to its edges. The error names
/// the law and the node that breaks it.
[[nodiscard]] Result<void> validate(const Topology& topology);

/// A node whose model never reaches node 0, over all rounds of a period.
[[nodiscard]] std::optional<NodeId> find_unreachable(const Topology& topology);

}  // namespace gossamer
