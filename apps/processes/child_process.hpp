#pragma once

#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "apps/console/prefixed_lines.hpp"

#include "gossamer/base/result.hpp"

namespace gossamer::cli {

/// One program to start.
struct ChildCommand {
  enum class SignalsBy {
    kKill,   // the child is the program itself
    kInput,  // the child carries the program's input elsewhere: it gets a line such as "INT"
  };

  std::string prefix;  // of every line that it prints
  std::vector<std::string> arguments;
  SignalsBy signals_by = SignalsBy::kKill;
};

/// How a child ended.
struct ChildEnd {
  int exit_code = 0;
  int signal = 0;  // that ended it; 0: none did

  /// As a shell counts it.
  [[nodiscard]] int code() const { return signal == 0 ? exit_code : 128 + signal; }
};

/// A file descriptor, closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}

  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  ~Descriptor() { close(); }

  void close();

  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// A running program whose output we pass on, line by line. It is no part of our process group, and
/// gets a SIGTERM when we die. What still runs when this object goes is killed.
class ChildProcess {
 public:
  /// `mask`: the signals that are blocked in it.
  [[nodiscard]] static Result<ChildProcess> start(const ChildCommand& command,
                                                  const sigset_t& mask);

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

  /// Notes whether it has ended, and then passes on all that it left.
  void look_for_end();

  [[nodiscard]] const std::optional<ChildEnd>& end() const { return end_; }

 private:
  enum class Left { kMore, kNothing };

  struct Output {
    Descriptor from;
    int to;
    PrefixedLines lines;
  };

  ChildProcess(pid_t process, Descriptor input, std::vector<Output> outputs)
      : process_(process), input_(std::move(input)), outputs_(std::move(outputs)) {}

  [[nodiscard]] static Left read_some(Output& output);

  struct ProcessId {
    explicit ProcessId(pid_t value) : number(value) {}

    ProcessId(ProcessId&& other) noexcept : number(std::exchange(other.number, -1)) {}

    pid_t number;
  };

  ProcessId process_;
  Descriptor input_;  // ours to write to; closed if the program's input is empty
  std::vector<Output> outputs_;
  std::optional<ChildEnd> end_;
};

}  // namespace gossamer::cli
