#include "gossamer/swarm/arguments.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

/// An argument beside the settings. All but insecure take a value.
struct Place {
  std::string_view name;
  std::string_view help;
  Result<void> (*set)(RunRequest& request, const std::string& value);
};

template <std::string RunRequest::*kMember>
Result<void> set_text(RunRequest& request, const std::string& value) {
  request.*kMember = value;
  return {};
}

Result<void> set_node(RunRequest& request, const std::string& value) {
  request.node = parse_number<NodeId>(value);
  if (!request.node) return Error{fmt::format("--node must be a number, not '{}'", value)};
  return {};
}

Result<void> add_assignment(RunRequest& request, const std::string& value) {
  request.assignments.push_back(value);
  return {};
}

constexpr std::string_view kInsecure = "insecure";

constexpr auto kPlaces = std::to_array<Place>({
    {"config", "Settings from a TOML file", set_text<&RunRequest::config_file>},
    {"set", "One setting as key=value, for instance sim.bandwidth=10Mbps", add_assignment},
    {"run-dir", "Folder for checkpoints, events and the model", set_text<&RunRequest::run_dir>},
    {"resume", "Go on with the run in this folder", set_text<&RunRequest::resume>},
    {"peers", "Who and where all peers are; the network is then tls", set_text<&RunRequest::peers>},
    {"node", "Which of the peers this is", set_node},
});

bool is_option(const ConfigKey& key) {
  return is_used_by(Command::kOwnLoop, key) && !key.name.starts_with("sim.");
}

Result<void> set_named(RunRequest& request, const std::string& name, const std::string& value) {
  const auto place = std::ranges::find(kPlaces, name, &Place::name);
  if (place != kPlaces.end()) return place->set(request, value);
  request.given.emplace_back(name, value);
  return {};
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const ConfigKey& key : config_keys()) {
    if (is_option(key)) all.push_back(key.name);
  }
  for (const Place& place : kPlaces)
    all.emplace_back(place.name);
  all.emplace_back(kInsecure);
  return all;
}

}  // namespace

Result<RunRequest> read_arguments(int count, const char* const* texts, const RunConfig& preset) {
  RunRequest request;
  request.command = Command::kOwnLoop;
  request.preset = preset;
  const std::vector<std::string> known = names();
  for (int i = 1; i < count; ++i) {
    const std::string_view text = texts[i];
    if (text == "--help" || text == "-h") return Error{arguments_help()};
    if (!text.starts_with("--"))
      return Error{fmt::format("'{}' stands alone: settings are given as --KEY VALUE", text)};
    const std::size_t equals = text.find('=');
    const std::string name(text.substr(2, equals == text.npos ? equals : equals - 2));
    if (name == kInsecure && equals == text.npos) {
      request.insecure = true;
      continue;
    }
    if (std::ranges::count(known, name) == 0)
      return Error{unknown_name("option", "--" + name, known)};
    if (equals == text.npos && i + 1 == count)
      return Error{fmt::format("--{} needs a value", name)};
    const std::string value(equals == text.npos ? texts[++i] : text.substr(equals + 1));
    if (const Result<void> set = set_named(request, name, value); !set) return set.error();
  }
  if (!request.peers.empty() && !request.named_network()) request.preset.network = "tls";
  return request;
}

std::string arguments_help() {
  std::string text = "Settings of this program:\n";
  for (const ConfigKey& key : config_keys()) {
    if (!is_option(key)) continue;
    const std::string preset_text = key.preset.empty() ? "" : fmt::format(" [{}]", key.preset);
    text += fmt::format("  --{:<25} {}{}\n", key.name, key.help, preset_text);
  }
  for (const Place& place : kPlaces)
    text += fmt::format("  --{:<25} {}\n", place.name, place.help);
  text += fmt::format("  --{:<25} {}\n", kInsecure, "Of peers: plain TCP, without keys");
  text += "Of a simulated network, for --set and for files:\n";
  for (const ConfigKey& key : config_keys()) {
    if (key.name.starts_with("sim.")) text += fmt::format("  {:<27} {}\n", key.name, key.help);
  }
  return text;
}

}  // namespace gossamer
