#pragma once

#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/e2e/program.hpp"

namespace gossamer::testing {

/// A program that runs beside the test. What has not ended when the object goes is killed.
class RunningProgram {
 public:
  explicit RunningProgram(std::vector<std::string> command)
      : process_(program_detail::spawn(std::move(command), out_, err_)),
        reader_([this] { read(); }) {}

  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  ~RunningProgram() {
    if (!reader_.joinable()) return;
    send(SIGKILL);
    (void)finish();
  }

  /// Only before finish().
  void send(int signal) const { ::kill(process_, signal); }

  /// Waits until what it has printed is as wished. False: it closed its outputs before.
  [[nodiscard]] bool wait_until(const std::function<bool(const ProgramResult&)>& is_as_wished) {
    std::unique_lock lock(mutex_);
    bool is_so = false;
    more_.wait(lock, [&] { return (is_so = is_as_wished(printed_)) || has_closed_; });
    return is_so;
  }

  /// Nothing of it moves until it is released.
  void hold() const { send(SIGSTOP); }

  void release() const { send(SIGCONT); }

  /// Waits for its end. Once.
  [[nodiscard]] ProgramResult finish() {
    reader_.join();
    printed_.exit_code = program_detail::wait_for(process_);
    return printed_;
  }

 private:
  void read() {
    program_detail::drain(out_, err_,
                          [&](std::string ProgramResult::*output, std::string_view text) {
                            const std::lock_guard lock(mutex_);
                            (printed_.*output).append(text);
                            more_.notify_all();
                          });
    const std::lock_guard lock(mutex_);
    has_closed_ = true;
    more_.notify_all();
  }

  program_detail::Pipe out_;
  program_detail::Pipe err_;
  pid_t process_;
  std::mutex mutex_;
  std::condition_variable more_;
  ProgramResult printed_;
  bool has_closed_ = false;
  std::thread reader_;  // last: it uses all of the above
};

}  // namespace gossamer::testing
