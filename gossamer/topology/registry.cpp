#include "gossamer/topology/registry.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/text/options.hpp"
#include "gossamer/base/text/suggest.hpp"
#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/validate.hpp"

namespace gossamer {
namespace {

using Factory = Result<std::unique_ptr<Topology>> (*)(TopologyRequest&);

constexpr auto kEntries = std::to_array<TopologyEntry>({
#define GOSSAMER_TOPOLOGY(factory, name, example, summary) {name, example, summary},
#include "gossamer/topology/registry.def"
#undef GOSSAMER_TOPOLOGY
});

constexpr auto kFactories = std::to_array<Factory>({
#define GOSSAMER_TOPOLOGY(factory, name, example, summary) factory,
#include "gossamer/topology/registry.def"
#undef GOSSAMER_TOPOLOGY
});

}  // namespace

std::span<const TopologyEntry> topologies() {
  return kEntries;
}

Result<std::unique_ptr<Topology>> make_topology(std::string_view spec, std::optional<NodeId> nodes,
                                                std::uint64_t seed) {
  NamedOptions named = split_spec(spec);
  const auto entry = find_named("topology", named.name, kEntries, &TopologyEntry::name);
  if (!entry) return entry.error();
  if (nodes && (*nodes == 0 || *nodes > kMostNodes)) {
    return Error{
        fmt::format("the number of nodes must be from 1 to {}, not {}", kMostNodes, *nodes)};
  }

  const Factory factory = kFactories[static_cast<std::size_t>(entry.value() - kEntries.data())];
  TopologyRequest request{std::move(named.options), nodes, seed};
  Result<std::unique_ptr<Topology>> made = factory(request);
  if (!made) return made;
  if (const Result<void> lawful = validate(*made.value()); !lawful) {
    return Error{fmt::format("{}: {}", made.value()->spec(), lawful.error().message)};
  }
  return made;
}

Result<NodeId> requested_nodes(const TopologyRequest& request) {
  if (const Result<void> options = request.options.finish(); !options) return options.error();
  if (request.nodes) return *request.nodes;
  return Error{fmt::format("{} comes in every size: say how many nodes (--nodes N)",
                           request.options.owner())};
}

Result<void> expect_nodes(const TopologyRequest& request, std::string_view spec, NodeId nodes) {
  if (!request.nodes || *request.nodes == nodes) return {};
  return Error{fmt::format("{} has {} nodes, but --nodes says {}", spec, nodes, *request.nodes)};
}

Result<void> limit_pairs(std::string_view spec, NodeId nodes, double pairs) {
  if (2.0 * pairs <= static_cast<double>(kMostEdges)) return {};
  return Error{
      fmt::format("{} with {} nodes has about {:.0f} edges, more than the {} that are kept", spec,
                  nodes, pairs, kMostEdges / 2)};
}

}  // namespace gossamer
