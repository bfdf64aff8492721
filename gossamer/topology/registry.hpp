#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {

/// A line about one graph, or one family of graphs.
struct TopologyEntry {
  std::string_view name;
  std::string_view example;  // a spec that make_topology() understands
  std::string_view summary;  // one sentence
};

/// All graphs there are, in the order in which users read about them.
[[nodiscard]] std::span<const TopologyEntry> topologies();

/// Makes the topology that `spec` names: `ring`, `torus:4x8`, `file:graph.txt`. Most need the
/// number of nodes; those that know it themselves refuse another. `seed` decides random graphs:
/// every process of a run that asks with the same arguments gets the same graph.
///
/// What comes back has passed validate().
[[nodiscard]] Result<std::unique_ptr<Topology>> make_topology(std::string_view spec,
                                                              std::optional<NodeId> nodes,
                                                              std::uint64_t seed);

}  // namespace gossamer
