#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/base/text/options.hpp"
#include "gossamer/topology/topology.hpp"

// What the graphs of this folder share with the registry and with nobody else.
namespace gossamer {

/// Beyond these a typing error is likelier than a wish, and memory would run out before a message
/// says why: 131,072 nodes, or 256 MiB of edges.
inline constexpr NodeId kMostNodes = NodeId{1} << 17;
inline constexpr std::uint64_t kMostEdges = std::uint64_t{1} << 24;  // each direction counts

/// What a factory makes its graph from. It ticks off the options as it reads them.
struct TopologyRequest {
  Options options;
  std::optional<NodeId> nodes;
  std::uint64_t seed = 0;
};

/// The number of nodes, for graphs that come in every size. Call it after all options are read: it
/// refuses those that nobody asked for.
[[nodiscard]] Result<NodeId> requested_nodes(const TopologyRequest& request);

/// For graphs that know their size: refuses another --nodes.
[[nodiscard]] Result<void> expect_nodes(const TopologyRequest& request, std::string_view spec,
                                        NodeId nodes);

/// Refuses a graph of more than kMostEdges, about `pairs` undirected ones.
[[nodiscard]] Result<void> limit_pairs(std::string_view spec, NodeId nodes, double pairs);

#define GOSSAMER_TOPOLOGY(factory, name, example, summary) \
  [[nodiscard]] Result<std::unique_ptr<Topology>> factory(TopologyRequest& request);
#include "gossamer/topology/registry.def"
#undef GOSSAMER_TOPOLOGY

}  // namespace gossamer
