#include "gossamer/plan/measured_links.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/file.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::json;

/// From the first node to the second.
using Way = std::pair<NodeId, NodeId>;

struct WayFound {
  double round_trip = 0;  // seconds
  double rate = 0;        // bytes per second
};

using Ways = std::map<Way, WayFound>;

constexpr NodeId kMostNodes = 100'000;
constexpr double kLongestTrip = 3600;

// The object that a line holds, if it is one of a doctor's.
std::optional<Json> object_in(std::string_view line) {
  const std::size_t brace = line.find('{');
  if (brace == std::string_view::npos) return std::nullopt;
  Json object = Json::parse(line.substr(brace), nullptr, false);
  if (!object.is_object() || !object.contains("node") || !object.contains("peer"))
    return std::nullopt;
  return object;
}

std::optional<NodeId> node_in(const Json& object, const char* key) {
  const Json& value = object.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= kMostNodes) return std::nullopt;
  return value.get<NodeId>();
}

double number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : std::nan("");
}

Result<void> add_way(const Json& object, std::size_t line, Ways& ways) {
  const auto node = node_in(object, "node");
  const auto peer = node_in(object, "peer");
  if (!node || !peer || *node == *peer) {
    return Error{fmt::format("line {}: a link has two nodes with different numbers below {}", line,
                             kMostNodes)};
  }
  if (object.contains("trouble")) {
    const Json& trouble = object.at("trouble");
    return Error{fmt::format("line {}: node {} could not measure the way to node {}: {}", line,
                             *node, *peer,
                             trouble.is_string() ? trouble.get<std::string>() : trouble.dump())};
  }
  const double trip = number_in(object, "round_trip_seconds");
  const double rate = number_in(object, "bytes_per_second");
  const bool has_trip = trip >= 0 && trip <= kLongestTrip;
  const bool has_rate = std::isfinite(rate) && rate > 0;
  if (!has_trip || !has_rate) {
    return Error{
        fmt::format("line {}: a link has round_trip_seconds from 0 to {} and bytes_per_second "
                    "above 0",
                    line, kLongestTrip)};
  }
  const auto [place, is_new] = ways.try_emplace({*node, *peer}, WayFound{trip, rate});
  if (!is_new) {
    place->second.round_trip = std::min(place->second.round_trip, trip);
    place->second.rate = std::max(place->second.rate, rate);
  }
  return {};
}

Result<Ways> ways_in(std::string_view text) {
  Ways ways;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::optional<Json> object = object_in(text.substr(0, end))) {
      if (const auto added = add_way(*object, line, ways); !added) return added.error();
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ways;
}

Result<void> check_complete(const Ways& ways, NodeId nodes) {
  for (NodeId a = 0; a < nodes; ++a) {
    for (NodeId b = 0; b < nodes; ++b) {
      if (a == b || ways.contains({a, b})) continue;
      return Error{
          fmt::format("it has {} nodes, but not what node {} measured to node {}: all peers must "
                      "run doctor at the same time",
                      nodes, a, b)};
    }
  }
  return {};
}

std::vector<double> machine_rates(const Ways& ways, NodeId nodes) {
  std::vector<double> out(nodes, 0.0);
  std::vector<double> in(nodes, 0.0);
  for (const auto& [way, found] : ways) {
    out[way.first] = std::max(out[way.first], found.rate);
    in[way.second] = std::max(in[way.second], found.rate);
  }
  for (NodeId node = 0; node < nodes; ++node)
    out[node] = std::min(out[node], in[node]);
  return out;
}

}  // namespace

Result<MeasuredLinks> parse_measured_links(std::string_view text) {
  const Result<Ways> found = ways_in(text);
  if (!found) return found.error();
  const Ways& ways = found.value();
  if (ways.empty()) {
    return Error{
        "it has no links: write it by gossamer launch --peers peers.toml -- doctor --json > FILE"};
  }
  MeasuredLinks links;
  for (const auto& [way, ignored] : ways)
    links.nodes = std::max({links.nodes, way.first + 1, way.second + 1});
  if (const auto complete = check_complete(ways, links.nodes); !complete) return complete.error();

  const std::vector<double> rates = machine_rates(ways, links.nodes);
  for (NodeId a = 0; a < links.nodes; ++a) {
    links.network.machine_bandwidth.emplace_back(a, rates[a]);
    for (NodeId b = a + 1; b < links.nodes; ++b) {
      const WayFound& there = ways.at({a, b});
      const WayFound& back = ways.at({b, a});
      SimLink link{.a = a, .b = b, .bandwidth = std::nullopt, .latency = std::nullopt};
      link.latency = from_seconds(std::min(there.round_trip, back.round_trip) / 2);
      // Two that measure the way to one peer at once get half of its connection each: only what is
      // slower than that, in both directions, lies between the two.
      const double rate = std::max(there.rate, back.rate);
      if (rate < std::min(rates[a], rates[b]) / 2) link.bandwidth = rate;
      links.network.links.push_back(link);
    }
  }
  return links;
}

Result<MeasuredLinks> read_measured_links(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  const std::string text(bytes.value().begin(), bytes.value().end());
  Result<MeasuredLinks> links = parse_measured_links(text);
  if (!links) return Error{fmt::format("{}: {}", path, links.error().message)};
  return links;
}

}  // namespace gossamer
