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
    release();
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

  /// Reads nothing more of it: a program that prints as it goes soon has to wait.
  void hold() {
    const std::lock_guard lock(mutex_);
    is_held_ = true;
  }

  void release() {
    const std::lock_guard lock(mutex_);
    is_held_ = false;
    released_.notify_all();
  }

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
                            std::unique_lock lock(mutex_);
                            (printed_.*output).append(text);
                            more_.notify_all();
                            released_.wait(lock, [&] { return !is_held_; });
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
  std::condition_variable released_;
  ProgramResult printed_;
  bool has_closed_ = false;
  bool is_held_ = false;
  std::thread reader_;  // last: it uses all of the above
};

}  // namespace gossamer::testing
