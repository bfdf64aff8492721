#include "apps/commands/plan_network.hpp"

#include <array>
#include <utility>

#include "apps/commands/option_value.hpp"
#include <fmt/format.h>

#include "gossamer/base/text/units.hpp"
#include "gossamer/plan/measured_links.hpp"

namespace gossamer::cli {
namespace {

void refuse_two_networks(const PlanArguments& arguments) {
  const std::array<std::pair<const char*, bool>, 4> given = {{
      {"--links", !arguments.links.empty()},
      {"--platform", !arguments.platform.empty()},
      {"--bandwidth", !arguments.bandwidth.empty()},
      {"--latency", !arguments.latency.empty()},
  }};
  for (const std::size_t whole : {0u, 1u}) {
    if (!given[whole].second) continue;
    for (std::size_t other = whole + 1; other < given.size(); ++other) {
      if (!given[other].second) continue;
      throw BadInput(fmt::format("{} says all about the network: leave out {}", given[whole].first,
                                 given[other].first));
    }
  }
}

}  // namespace

SimSetup planned_network(PlanArguments& arguments) {
  refuse_two_networks(arguments);
  constexpr NodeId kUsual = 8;
  SimSetup network;
  if (!arguments.links.empty()) {
    MeasuredLinks links = value_or_throw(read_measured_links(arguments.links));
    if (arguments.nodes != 0 && arguments.nodes != links.nodes) {
      throw BadInput(
          fmt::format("--nodes is {}, but {} has the links of {} nodes: leave out --nodes",
                      arguments.nodes, arguments.links, links.nodes));
    }
    arguments.nodes = links.nodes;
    network = std::move(links.network);
  }
  if (arguments.nodes == 0) arguments.nodes = kUsual;
  if (!arguments.bandwidth.empty())
    network.bandwidth = option_value("--bandwidth", parse_bandwidth(arguments.bandwidth));
  if (!arguments.latency.empty())
    network.latency = option_value("--latency", parse_duration(arguments.latency));
  network.platform_file = arguments.platform;
  return network;
}

std::string network_text(const PlanArguments& arguments, const SimSetup& network) {
  if (!arguments.links.empty()) return fmt::format("the links of {}", arguments.links);
  if (!arguments.platform.empty()) return fmt::format("the platform {}", arguments.platform);
  return fmt::format("{} each way and {} from node to node", format_bandwidth(network.bandwidth),
                     format_duration(network.latency));
}

}  // namespace gossamer::cli
