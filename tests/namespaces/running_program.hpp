#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/e2e/program.hpp"

namespace gossamer::testing {

/// A program that runs beside the test. It is ended with SIGKILL if it is still there when this
/// goes, or when something that it should do takes longer than anybody would wait.
class RunningProgram {
 public:
  explicit RunningProgram(const std::vector<std::string>& command)
      : thread_([this, command] { run(command); }) {
    // From then on its number is known, and it can be ended.
    (void)prints(kStarted);
  }

  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  ~RunningProgram() {
    kill();
    thread_.join();
  }

  /// Waits until it has printed this, to either stream. False if it ends without.
  [[nodiscard]] bool prints(const std::string& text) {
    std::unique_lock lock(mutex_);
    const auto has_printed = [&] { return printed_.find(text) != std::string::npos; };
    changed_.wait_for(lock, kLongest, [&] { return has_ended_ || has_printed(); });
    return has_printed();
  }

  [[nodiscard]] std::string printed() const {
    const std::scoped_lock lock(mutex_);
    return printed_;
  }

  [[nodiscard]] bool has_ended() const {
    const std::scoped_lock lock(mutex_);
    return has_ended_;
  }

  void kill() {
    const std::scoped_lock lock(mutex_);
    if (!has_ended_) ::kill(program_, SIGKILL);
  }

  /// Waits for its end. A signal counts as 128 + its number.
  [[nodiscard]] int exit_code() {
    std::unique_lock lock(mutex_);
    const auto has_ended = [&] { return has_ended_; };
    if (!changed_.wait_for(lock, kLongest, has_ended)) {
      ::kill(program_, SIGKILL);
      changed_.wait(lock, has_ended);
    }
    return exit_code_;
  }

 private:
  static constexpr std::chrono::minutes kLongest{1};
  static constexpr const char* kStarted = "started\n";

  void run(std::vector<std::string> command) {
    // Both streams as one, in the order in which they were written.
    command.insert(command.begin(), {"/bin/sh", "-c", "echo started; exec \"$@\" 2>&1", "sh"});
    const ProgramResult result =
        run_command(std::move(command), [this](const std::string& out, pid_t program) {
          const std::scoped_lock lock(mutex_);
          program_ = program;
          printed_ = out;
          changed_.notify_all();
        });
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
    exit_code_ = result.exit_code;
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string printed_;
  pid_t program_ = 0;
  bool has_ended_ = false;
  int exit_code_ = -1;
  std::thread thread_;  // last: it uses all others
};

}  // namespace gossamer::testing
