#include "gossamer/settings/config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/text/suggest.hpp"
#include "gossamer/base/text/units.hpp"
#include "gossamer/network/registry.hpp"
#include "gossamer/settings/config_fields.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

// A basic string of TOML.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    if (is_control) {
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string toml_value(const Field& field, const std::string& text) {
  switch (field.form) {
    case Form::kText:
      return quoted(text);
    case Form::kNumber:
      return text;
    case Form::kList:
      return fmt::format("[{}]", text);
  }
  return text;
}

constexpr std::string_view kSim = "sim.";

// The table [sim] without its first line, and the lists behind it.
std::string sim_text(const RunConfig& config) {
  std::string out;
  for (const Field& field : config_fields()) {
    const std::optional<std::string> text = field.text(config);
    if (!text || !field.key.name.starts_with(kSim)) continue;
    out += fmt::format("{} = {}\n", field.key.name.substr(kSim.size()), toml_value(field, *text));
  }
  for (const auto& [node, time] : config.compute.per_node)
    out += fmt::format("\n[[sim.node]]\nid = {}\ncompute = \"{}\"\n", node, format_duration(time));
  for (const SimLink& link : config.sim.links) {
    out += fmt::format("\n[[sim.link]]\nbetween = [{}, {}]\n", link.a, link.b);
    if (link.bandwidth)
      out += fmt::format("bandwidth = \"{}\"\n", format_bandwidth(*link.bandwidth));
    if (link.latency) out += fmt::format("latency = \"{}\"\n", format_duration(*link.latency));
  }
  for (const LinkOutage& outage : config.sim.outages) {
    out += fmt::format("\n[[sim.outage]]\nbetween = [{}, {}]\nfrom = \"{}\"\n", outage.a, outage.b,
                       format_duration(outage.begin.time_since_epoch()));
    if (outage.end)
      out += fmt::format("until = \"{}\"\n", format_duration(outage.end->time_since_epoch()));
  }
  for (const NodeFailure& failure : config.sim.failures) {
    out += fmt::format("\n[[sim.failure]]\nnode = {}\nat = \"{}\"\n", failure.node,
                       format_duration(failure.at.time_since_epoch()));
  }
  return out;
}

}  // namespace

std::span<const ConfigKey> config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> all;
    for (const Field& field : config_fields()) {
      all.push_back(field.key);
      all.back().preset = field.text(RunConfig{}).value_or("");
    }
    return all;
  }();
  return keys;
}

bool is_used_by(Command command, const ConfigKey& key) {
  switch (command) {
    case Command::kTrain:
      return key.in_train;
    case Command::kConsensus:
      return key.in_consensus;
    case Command::kOwnLoop:
      return key.in_own_loop;
  }
  return false;
}

Result<void> set_config(RunConfig& config, std::string_view key, std::string_view text) {
  const Field* const field = find_field(key);
  if (field == nullptr) {
    std::vector<std::string> names;
    for (const Field& candidate : config_fields())
      names.push_back(candidate.key.name);
    return Error{unknown_name("key", key, names)};
  }
  if (const Result<void> set = field->set(config, text); !set)
    return Error{fmt::format("{}: {}", key, set.error().message)};
  return {};
}

std::string config_text(const RunConfig& config, Command command) {
  std::string out;
  for (const Field& field : config_fields()) {
    const std::optional<std::string> text = field.text(config);
    if (!is_used_by(command, field.key) || !text || field.key.name.starts_with(kSim)) continue;
    out += fmt::format("{} = {}\n", field.key.name, toml_value(field, *text));
  }
  const std::string sim = sim_text(config);
  // A run of threads that says nothing of a simulation need not carry its defaults.
  const bool is_simulated = find_world(config.network).value().clock == WorldClock::kVirtual;
  if (is_simulated || sim != sim_text(RunConfig{})) out += "\n[sim]\n" + sim;
  return out;
}

std::vector<std::pair<std::string, std::string>> identity_of(const RunConfig& config) {
  std::vector<std::pair<std::string, std::string>> identity;
  for (const Field& field : config_fields()) {
    if (field.decides != Decides::kResult) continue;
    // Data of one's own are nobody else's business.
    const bool is_private = field.key.name == "data" && config.partition == "own";
    identity.emplace_back(field.key.name, is_private ? "" : field.text(config).value_or(""));
  }
  return identity;
}

std::uint32_t identity_digest(const RunConfig& config) {
  ByteWriter bytes;
  for (const auto& [key, value] : identity_of(config)) {
    bytes.write_text(key);
    bytes.write_text(value);
  }
  return static_cast<std::uint32_t>(digest_of(bytes.bytes()));
}

}  // namespace gossamer
