#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "gossamer/settings/config.hpp"

namespace gossamer::cli {

/// What the commands that run something share: every key of a config as an option, a file, and
/// `--set`.
struct RunArguments {
  Command command = Command::kTrain;
  std::string config_file;
  std::vector<std::string> assignments;                    // of --set
  std::vector<std::pair<std::string, std::string>> given;  // of options, in their order
  std::string run_dir;
  std::string resume;
  std::string trace;
  std::string compare;
  bool json = false;

  // Of one peer among others.
  std::string peers;
  std::optional<NodeId> node;
  bool insecure = false;
  bool launched = false;  // its reader is launch: what happens is printed as events
};

/// Adds the options of `which` to a command.
[[nodiscard]] std::shared_ptr<RunArguments> add_run_options(CLI::App& command, Command which);

/// What there is beside the options, for the end of a help text.
[[nodiscard]] std::string simulation_keys();

/// The config that the arguments say: the file first, then --set, then options. `base` is what they
/// start from. Throws BadInput.
[[nodiscard]] RunConfig config_from(const RunArguments& arguments, RunConfig base);

}  // namespace gossamer::cli
