#include "gossamer/network/sim/setup.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "gossamer/base/text/units.hpp"

namespace gossamer {
namespace {

bool is_rate(double bandwidth) {
  return std::isfinite(bandwidth) && bandwidth > 0;
}

Error no_node(std::string_view what, NodeId node, const Machines& machines) {
  return {fmt::format("{}: there is no node {}; the nodes are 0 to {}", what, node,
                      machines.nodes() - 1)};
}

Result<void> check_common(const SimSetup& setup) {
  if (!is_rate(setup.bandwidth)) {
    return Error{
        fmt::format("the bandwidth is {} bytes per second; it must be positive", setup.bandwidth)};
  }
  if (setup.latency < Duration{0}) {
    return Error{
        fmt::format("the latency is {} ns; it must not be negative", setup.latency.count())};
  }
  const SimProcessors& processors = setup.processors;
  if (processors.per_message < Duration{0} || !(processors.seconds_per_byte >= 0))
    return Error{"a message costs the processor no negative time"};
  if (processors.shared_cores > 0 && !setup.platform_file.empty())
    return Error{"a platform file says what each host has: its hosts cannot share cores"};
  return {};
}

Result<void> check_machine_bandwidth(const Machines& machines, const SimSetup& setup) {
  std::set<NodeId> seen;
  for (const auto& [machine, bandwidth] : setup.machine_bandwidth) {
    if (machine >= machines.count()) {
      return Error{fmt::format("bandwidth of machine {}: the machines are 0 to {}", machine,
                               machines.count() - 1)};
    }
    if (!is_rate(bandwidth)) {
      return Error{
          fmt::format("the bandwidth of machine {} is {} bytes per second; it must be positive",
                      machine, bandwidth)};
    }
    if (!seen.insert(machine).second)
      return Error{fmt::format("the bandwidth of machine {} has been given before", machine)};
  }
  return {};
}

Result<void> check_pairs(const Machines& machines, const SimSetup& setup) {
  for (const auto& [a, b] : setup.pairs) {
    if (std::max(a, b) >= machines.nodes())
      return no_node(fmt::format("pair {}-{}", a, b), std::max(a, b), machines);
    if (a == b) return Error{fmt::format("pair {}-{}: a node does not talk to itself", a, b)};
  }
  return {};
}

// What a link and an outage have in common: two nodes with a network between them.
Result<void> check_ends(std::string_view what, Pair ends, const Machines& machines,
                        const std::set<Pair>& pairs) {
  const auto [a, b] = ends;
  if (b >= machines.nodes()) return no_node(what, b, machines);
  if (machines.of(a) == machines.of(b)) {
    return Error{fmt::format("{}: both ends are on machine {}, with no network between them", what,
                             machines.of(a))};
  }
  if (!pairs.empty() && !pairs.contains(ends))
    return Error{fmt::format("{}: these nodes do not talk to each other", what)};
  return {};
}

Result<void> check_links(const Machines& machines, const SimSetup& setup,
                         const std::set<Pair>& pairs) {
  std::set<Pair> seen;
  for (const SimLink& link : setup.links) {
    const std::string what = fmt::format("link {}-{}", link.a, link.b);
    const Pair ends = unordered(link.a, link.b);
    if (auto checked = check_ends(what, ends, machines, pairs); !checked) return checked;
    if (link.bandwidth && !is_rate(*link.bandwidth)) {
      return Error{fmt::format("{}: the bandwidth is {} bytes per second; it must be positive",
                               what, *link.bandwidth)};
    }
    if (link.latency && *link.latency < Duration{0}) {
      return Error{fmt::format("{}: the latency is {} ns; it must not be negative", what,
                               link.latency->count())};
    }
    if (!seen.insert(unordered(machines.of(ends.first), machines.of(ends.second))).second)
      return Error{fmt::format("{}: these machines have been given a link before", what)};
  }
  return {};
}

Result<void> check_outages(const Machines& machines, const SimSetup& setup,
                           const std::set<Pair>& pairs) {
  for (const LinkOutage& outage : setup.outages) {
    const std::string what = fmt::format("outage {}-{}", outage.a, outage.b);
    if (auto checked = check_ends(what, unordered(outage.a, outage.b), machines, pairs); !checked)
      return checked;
    if (outage.begin < Time{}) return Error{fmt::format("{}: it begins before the run", what)};
    if (outage.end && *outage.end < outage.begin) {
      return Error{fmt::format("{}: it ends at {}, before it begins at {}", what,
                               format_duration(outage.end->time_since_epoch()),
                               format_duration(outage.begin.time_since_epoch()))};
    }
  }
  return {};
}

Result<void> check_failures(const Machines& machines, const SimSetup& setup) {
  for (const NodeFailure& failure : setup.failures) {
    const std::string what = fmt::format("failure of node {}", failure.node);
    if (failure.node >= machines.nodes()) return no_node(what, failure.node, machines);
    if (failure.at < Time{}) return Error{fmt::format("{}: it is before the run", what)};
  }
  return {};
}

Result<void> check_platform_file(const SimSetup& setup) {
  if (setup.platform_file.empty()) return {};
  if (!setup.links.empty() || !setup.machine_bandwidth.empty()) {
    return Error{
        fmt::format("the platform file {} says what links there are; those of single pairs and "
                    "machines cannot be given beside it",
                    setup.platform_file)};
  }
  std::error_code failure;
  if (!std::filesystem::is_regular_file(setup.platform_file, failure))
    return Error{fmt::format("there is no platform file {}", setup.platform_file)};
  return {};
}

}  // namespace

Acquaintances::Acquaintances(NodeId nodes, const SimSetup& setup)
    : everybody_(setup.pairs.empty()), peers_(nodes) {
  for (const auto& [a, b] : setup.pairs) {
    peers_[a].push_back(b);
    peers_[b].push_back(a);
  }
  for (std::vector<NodeId>& peers : peers_) {
    std::ranges::sort(peers);
    peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  }
}

bool Acquaintances::know(NodeId a, NodeId b) const {
  return everybody_ || std::ranges::binary_search(peers_[a], b);
}

std::vector<Incident> incidents_of(const SimSetup& setup) {
  std::vector<Incident> incidents;
  for (const LinkOutage& outage : setup.outages) {
    incidents.push_back({outage.begin, Incident::Kind::kCut, outage.a, outage.b});
    if (outage.end) incidents.push_back({*outage.end, Incident::Kind::kHeal, outage.a, outage.b});
  }
  for (const NodeFailure& failure : setup.failures)
    incidents.push_back({failure.at, Incident::Kind::kFail, failure.node, failure.node});
  std::ranges::stable_sort(incidents, {}, &Incident::at);
  return incidents;
}

Result<void> check_setup(const Machines& machines, const SimSetup& setup) {
  if (auto checked = check_pairs(machines, setup); !checked) return checked;
  std::set<Pair> pairs;
  for (const auto& [a, b] : setup.pairs)
    pairs.insert(unordered(a, b));
  if (auto checked = check_common(setup); !checked) return checked;
  if (auto checked = check_machine_bandwidth(machines, setup); !checked) return checked;
  if (auto checked = check_links(machines, setup, pairs); !checked) return checked;
  if (auto checked = check_outages(machines, setup, pairs); !checked) return checked;
  if (auto checked = check_failures(machines, setup); !checked) return checked;
  return check_platform_file(setup);
}

}  // namespace gossamer
