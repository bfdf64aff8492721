#include "gossamer/swarm/run_request.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace gossamer {
namespace {

Result<void> set(RunConfig& config, std::string_view key, std::string_view text,
                 std::string_view where) {
  const Result<void> done = set_config(config, key, text);
  if (!done) return Error{fmt::format("{}{}", where, done.error().message)};
  return {};
}

Result<void> assign(RunConfig& config, Command command, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos)
    return Error{fmt::format("--set takes key=value, not '{}'", assignment)};
  const std::string key = assignment.substr(0, equals);
  const auto known = std::ranges::find(config_keys(), key, &ConfigKey::name);
  if (known != config_keys().end() && !is_used_by(command, *known)) {
    return Error{fmt::format("--set: {} has no use here, but in 'gossamer {}'", key,
                             known->in_train ? "train" : "consensus")};
  }
  return set(config, key, assignment.substr(equals + 1), "--set: ");
}

}  // namespace

std::optional<std::string> RunRequest::named_network() const {
  std::optional<std::string> name;
  constexpr std::string_view kAssignment = "network=";
  for (const std::string& assignment : assignments) {
    if (assignment.starts_with(kAssignment)) name = assignment.substr(kAssignment.size());
  }
  for (const auto& [key, text] : given) {
    if (key == "network") name = text;
  }
  return name;
}

Result<RunConfig> config_of(const RunRequest& request, RunConfig base) {
  if (!request.config_file.empty()) {
    const Result<void> read = read_config(base, request.config_file);
    if (!read) return read.error();
  }
  for (const std::string& assignment : request.assignments) {
    if (const Result<void> done = assign(base, request.command, assignment); !done)
      return done.error();
  }
  for (const auto& [key, text] : request.given) {
    if (const Result<void> done = set(base, key, text, "--"); !done) return done.error();
  }
  return base;
}

}  // namespace gossamer
