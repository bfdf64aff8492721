#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "apps/console/whole_lines.hpp"
#include "apps/processes/child_listener.hpp"
#include "apps/processes/descriptor.hpp"

#include "gossamer/base/result.hpp"

namespace gossamer::cli {

/// One program to start.
struct ChildCommand {
  enum class SignalsBy {
    kKill,   // the child is the program itself
    kInput,  // the child carries the program's input elsewhere: it gets a line such as "INT"
  };

  std::vector<std::string> arguments;
  SignalsBy signals_by = SignalsBy::kKill;
};

/// A running program whose output we pass on, line by line. It is no part of our process group, and
/// gets a SIGTERM when we die. What still runs when this object goes is killed.
class ChildProcess {
 public:
  /// Gets whole lines.
  using OnLines = std::function<void(ChildStream stream, std::string_view lines)>;

  /// `mask`: the signals that are blocked in it.
  [[nodiscard]] static Result<ChildProcess> start(const ChildCommand& command, const sigset_t& mask,
                                                  OnLines on_lines);

  ChildProcess(ChildProcess&& other) noexcept = default;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  /// Its output and its errors, to wait for; negative once they are closed.
  [[nodiscard]] std::array<int, 2> outputs() const;

  /// Passes on what one of its outputs has; call it when there is something.
  void pass_on(std::size_t output);

  /// To the program, wherever it runs.
  void signal_program(int signal) const;

  /// To the process that we started.
  void kill() const;

  /// Whether it has ended since the last look. Then it passes on all that it left.
  [[nodiscard]] bool look_for_end();

  [[nodiscard]] const std::optional<ChildEnd>& end() const { return end_; }

 private:
  enum class Left { kMore, kNothing };

  struct Output {
    Descriptor from;
    ChildStream stream;
    WholeLines lines;
  };

  ChildProcess(pid_t process, Descriptor input, std::vector<Output> outputs, OnLines on_lines)
      : process_(process),
        input_(std::move(input)),
        outputs_(std::move(outputs)),
        on_lines_(std::move(on_lines)) {}

  [[nodiscard]] Left read_some(Output& output);
  void pass_on(const Output& output, const std::string& lines);

  struct ProcessId {
    explicit ProcessId(pid_t value) : number(value) {}

    ProcessId(ProcessId&& other) noexcept : number(std::exchange(other.number, -1)) {}

    pid_t number;
  };

  ProcessId process_;
  Descriptor input_;  // ours to write to; closed if the program's input is empty
  std::vector<Output> outputs_;
  OnLines on_lines_;
  std::optional<ChildEnd> end_;
};

}  // namespace gossamer::cli
