#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "gossamer/base/result.hpp"

namespace gossamer::cli {

/// What the program tells its caller; docs/errors.md explains each to users.
enum ExitCode : int {
  kSuccess = 0,
  kInternalError = 1,  // a bug of ours
  kBadInput = 2,       // a name, an option or a file that we cannot use
  kRunFailed = 3,      // a run that diverged, stalled or lost a peer
  kStopped = 130,      // by Ctrl-C, as shells expect it
};

/// A failure that the user can mend. Caught in main(), which prints the sentence and exits with
/// kBadInput.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A failure whose sentence another process prints: the first one speaks for all.
class ReportedElsewhere : public std::exception {
 public:
  explicit ReportedElsewhere(ExitCode exit_code) : code(exit_code) {}

  ExitCode code;
};

/// What an operation that can fail by the user's doing made; throws BadInput if it failed.
template <typename T>
[[nodiscard]] T value_or_throw(Result<T> result) {
  if (!result) throw BadInput(result.error().message);
  return std::move(result).value();
}

inline void check(const Result<void>& result) {
  if (!result) throw BadInput(result.error().message);
}

/// What the chosen command does, set while the command line is parsed and run after it.
using Action = std::function<int()>;

/// Prints a sentence for the user, and returns the code.
int fail(ExitCode code, const std::string& sentence);

/// Runs an action to its exit code: what it throws is printed. `who` stands before a bug's
/// sentence, where several processes may have one.
[[nodiscard]] int guarded(const Action& action, const std::string& who = "");

// One function per command, each in its own file: it adds the command's options to the program, and
// sets the action when the user chooses it.
void add_list_command(CLI::App& program, Action& action);
void add_topology_command(CLI::App& program, Action& action);
void add_bench_command(CLI::App& program, Action& action);
void add_consensus_command(CLI::App& program, Action& action);
void add_train_command(CLI::App& program, Action& action);
void add_tune_gamma_command(CLI::App& program, Action& action);
void add_report_command(CLI::App& program, Action& action);
void add_mean_command(CLI::App& program, Action& action);
void add_reproduce_command(CLI::App& program, Action& action);
void add_doctor_command(CLI::App& program, Action& action);
void add_keys_command(CLI::App& program, Action& action);
void add_launch_command(CLI::App& program, Action& action);
void add_plan_command(CLI::App& program, Action& action);
void add_hunt_command(CLI::App& program, Action& action);

}  // namespace gossamer::cli
