#include "apps/commands/run_arguments.hpp"

#include <algorithm>

#include "apps/command.hpp"
#include <fmt/format.h>

namespace gossamer::cli {
namespace {

void set(RunConfig& config, std::string_view key, std::string_view text, std::string_view where) {
  const Result<void> done = set_config(config, key, text);
  if (!done) throw BadInput(fmt::format("{}{}", where, done.error().message));
}

void assign(RunConfig& config, Command command, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos)
    throw BadInput(fmt::format("--set takes key=value, not '{}'", assignment));
  const std::string key = assignment.substr(0, equals);
  const auto known = std::ranges::find(config_keys(), key, &ConfigKey::name);
  if (known != config_keys().end() && !is_used_by(command, *known)) {
    throw BadInput(fmt::format("--set: {} has no use here, but in 'gossamer {}'", key,
                               command == Command::kTrain ? "consensus" : "train"));
  }
  set(config, key, assignment.substr(equals + 1), "--set: ");
}

}  // namespace

std::string simulation_keys() {
  std::string text = "Settings of a simulated network, for --set and for files:\n";
  for (const ConfigKey& key : config_keys()) {
    if (!key.name.starts_with("sim.")) continue;
    const std::string preset = key.preset.empty() ? "" : fmt::format(" [{}]", key.preset);
    text += fmt::format("  {:<27} {}{}\n", key.name, key.help, preset);
  }
  return text;
}

std::shared_ptr<RunArguments> add_run_options(CLI::App& command, Command which) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->command = which;
  for (const ConfigKey& key : config_keys()) {
    // Settings of the simulated network are many and rarely needed: they have a file and --set.
    if (!is_used_by(which, key) || key.name.starts_with("sim.")) continue;
    CLI::Option* const option = command.add_option_function<std::vector<std::string>>(
        "--" + key.name,
        [arguments, name = key.name](const std::vector<std::string>& texts) {
          arguments->given.emplace_back(name, fmt::format("{}", fmt::join(texts, ",")));
        },
        key.preset.empty() ? key.help : fmt::format("{} [{}]", key.help, key.preset));
    option->option_text(" ")->type_name("value");
    if (key.name == "report" || key.name == "tolerance") {
      // `--tolerance 1e-2 1e-4` as well as `--tolerance 1e-2,1e-4`.
      option->expected(1, -1);
    } else {
      // An option given twice has its last value: scripts add to what others begin.
      option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }
  command.add_option("--config", arguments->config_file, "Settings from a TOML file")
      ->option_text("FILE");
  command
      .add_option("--set", arguments->assignments,
                  "One setting as key=value, for instance sim.bandwidth=10Mbps")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false);  // one value each, as often as one likes
  command.add_flag("--json", arguments->json, "One JSON object per reported round, then a summary");
  return arguments;
}

RunConfig config_from(const RunArguments& arguments, RunConfig base) {
  if (!arguments.config_file.empty()) {
    const Result<void> read = read_config(base, arguments.config_file);
    if (!read) throw BadInput(read.error().message);
  }
  for (const std::string& assignment : arguments.assignments)
    assign(base, arguments.command, assignment);
  for (const auto& [key, text] : arguments.given)
    set(base, key, text, "--");
  if (arguments.command == Command::kConsensus && base.task != "consensus")
    throw BadInput(fmt::format("task '{}' has a command of its own: gossamer train", base.task));
  if (arguments.command == Command::kTrain && base.task == "consensus")
    throw BadInput("consensus has a command of its own: gossamer consensus");
  return base;
}

}  // namespace gossamer::cli
