#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "gossamer/swarm/run_request.hpp"

namespace gossamer::cli {

/// What the commands that run something share: every key of a config as an option, a file, and
/// `--set`; and what is for the program alone.
struct RunArguments : RunRequest {
  std::string trace;
  std::string compare;
  bool json = false;
  bool says_when_begun = false;  // to launch, which shows the lines of each
  bool launched = false;         // its reader is launch: what happens is printed as events
};

/// Adds the options of `which` to a command.
[[nodiscard]] std::shared_ptr<RunArguments> add_run_options(CLI::App& command, Command which);

/// What there is beside the options, for the end of a help text.
[[nodiscard]] std::string simulation_keys();

/// Refuses settings that are another command's.
[[nodiscard]] Result<void> check_task(const RunConfig& config, Command command);

}  // namespace gossamer::cli
