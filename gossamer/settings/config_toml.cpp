#include "gossamer/settings/config_toml.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/text/suggest.hpp"
#include "gossamer/base/text/units.hpp"
#include "gossamer/settings/config_fields.hpp"

namespace gossamer {
namespace {

Time as_time(std::optional<Duration> since_start) {
  return Time(since_start.value_or(Duration{}));
}

Result<void> read_sim_entry(RunConfig& config, std::string_view list, const toml::table& table) {
  TomlTable reader(table, fmt::format("sim.{}", list));
  if (list == "node") {
    const NodeId id = reader.id("id");
    const auto compute = reader.quantity<Duration>("compute", parse_duration);
    reader.require(compute.has_value(), "compute");
    config.compute.per_node.emplace_back(id, compute.value_or(Duration{}));
  } else if (list == "link") {
    const auto [a, b] = reader.two_ids("between");
    config.sim.links.push_back({a, b, reader.quantity<double>("bandwidth", parse_bandwidth),
                                reader.quantity<Duration>("latency", parse_duration)});
  } else if (list == "outage") {
    const auto [a, b] = reader.two_ids("between");
    const auto from = reader.quantity<Duration>("from", parse_duration);
    const auto until = reader.quantity<Duration>("until", parse_duration);
    reader.require(from.has_value(), "from");
    config.sim.outages.push_back(
        {a, b, as_time(from), until ? std::optional(as_time(until)) : std::nullopt});
  } else {
    const NodeId node = reader.id("node");
    const auto when = reader.quantity<Duration>("at", parse_duration);
    reader.require(when.has_value(), "at");
    config.sim.failures.push_back({node, as_time(when)});
  }
  return reader.finish();
}

const std::vector<std::string>& sim_lists() {
  static const std::vector<std::string> names = {"sim.node", "sim.link", "sim.outage",
                                                 "sim.failure"};
  return names;
}

// A file says a list as a whole: what was there before goes.
Result<void> read_sim_list(RunConfig& config, std::string_view name, const toml::node& node) {
  const toml::array* const list = node.as_array();
  if (list == nullptr || (!list->empty() && !node.is_array_of_tables()))
    return toml_error(node, name, fmt::format("is a list of tables: write [[{}]]", name));
  const std::string_view kind = name.substr(name.find('.') + 1);
  if (kind == "node") config.compute.per_node.clear();
  if (kind == "link") config.sim.links.clear();
  if (kind == "outage") config.sim.outages.clear();
  if (kind == "failure") config.sim.failures.clear();
  for (const toml::node& entry : *list) {
    if (const Result<void> read = read_sim_entry(config, kind, *entry.as_table()); !read)
      return read;
  }
  return {};
}

Result<void> read_key(RunConfig& config, const std::string& key, const toml::node& node) {
  const Field* const field = find_field(key);
  if (field == nullptr) {
    std::vector<std::string> names = sim_lists();
    for (const Field& candidate : config_fields())
      names.push_back(candidate.key.name);
    return Error{unknown_name("key", key, names)};
  }
  const std::optional<std::string> text = toml_text(node);
  if (!text || (node.is_array() && field->form != Form::kList)) {
    return Error{fmt::format(
        "{}: must be {}", key,
        field->form == Form::kList ? "a list of numbers" : "one value, text or a number")};
  }
  return set_config(config, key, *text);
}

Result<void> read_table(RunConfig& config, const toml::table& table, const std::string& prefix) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (const toml::table* const inner = node.as_table(); inner != nullptr && prefix.empty()) {
      if (const Result<void> read = read_table(config, *inner, key + "."); !read) return read;
      continue;
    }
    if (std::ranges::count(sim_lists(), key) > 0) {
      if (const Result<void> read = read_sim_list(config, key, node); !read) return read;
      continue;
    }
    if (const Result<void> read = read_key(config, key, node); !read)
      return Error{fmt::format("line {}: {}", node.source().begin.line, read.error().message)};
  }
  return {};
}

}  // namespace

Result<void> read_settings(RunConfig& config, const toml::table& table) {
  return read_table(config, table, "");
}

Result<void> read_config(RunConfig& config, const std::string& path) {
  return read_toml(path, [&](const toml::table& table) { return read_settings(config, table); });
}

}  // namespace gossamer
