#include "apps/commands/run_arguments.hpp"

#include "apps/command.hpp"
#include <fmt/format.h>

namespace gossamer::cli {

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

Result<void> check_task(const RunConfig& config, Command command) {
  if (command == Command::kConsensus && config.task != "consensus")
    return Error{fmt::format("task '{}' has a command of its own: gossamer train", config.task)};
  if (command == Command::kTrain && config.task == "consensus")
    return Error{"consensus has a command of its own: gossamer consensus"};
  return {};
}

}  // namespace gossamer::cli
