#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <functional>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gossamer::testing {

/// What a program left behind. A signal counts as exit code 128 + its number, as in a shell.
struct ProgramResult {
  int exit_code = -1;
  std::string out;
  std::string err;
};

namespace program_detail {

inline void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// Both ends of a pipe, closed when they go.
class Pipe {
 public:
  // Close-on-exec, so that the program holds no end but those made its own: it would keep the pipe
  // open and we would wait for ever.
  Pipe() { check(::pipe2(ends_.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe2"); }

  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  ~Pipe() {
    close_end(0);
    close_end(1);
  }

  [[nodiscard]] int read_end() const { return ends_[0]; }

  [[nodiscard]] int write_end() const { return ends_[1]; }

  void close_write_end() { close_end(1); }

 private:
  void close_end(std::size_t which) {
    if (ends_[which] >= 0) ::close(ends_[which]);
    ends_[which] = -1;
  }

  std::array<int, 2> ends_ = {-1, -1};
};

/// Gets what came on one of the outputs.
using OutputSink = std::function<void(std::string ProgramResult::*output, std::string_view text)>;

/// Reads both pipes as data comes: a program that fills one while we wait for the other would hang.
inline void drain(const Pipe& out, const Pipe& err, const OutputSink& sink) {
  std::array<pollfd, 2> ends = {pollfd{out.read_end(), POLLIN, 0},
                                pollfd{err.read_end(), POLLIN, 0}};
  const std::array outputs = {&ProgramResult::out, &ProgramResult::err};
  std::array<char, 4096> buffer{};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const int ready = ::poll(ends.data(), ends.size(), -1);
    if (ready < 0 && errno == EINTR) continue;
    check(ready < 0 ? errno : 0, "poll");
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      check(count < 0 ? errno : 0, "read");
      if (count == 0) ends[i].fd = -1;  // poll() passes over negative ones
      sink(outputs[i], {buffer.data(), static_cast<std::size_t>(count)});
    }
  }
}

/// Starts a program without a shell, so that arguments arrive as they are. Its input is empty, its
/// environment ours.
inline pid_t spawn(std::vector<std::string> command, Pipe& out, Pipe& err) {
  if (command.empty()) throw std::invalid_argument("a command has a program at least");
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (std::string& argument : command)
    argv.push_back(argument.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  check(::posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init");
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.write_end(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write_end(), STDERR_FILENO);
  pid_t child = 0;
  const int failure = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  check(failure, argv[0]);
  out.close_write_end();
  err.close_write_end();
  return child;
}

inline int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) check(errno, "waitpid");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace program_detail

/// Looks at what a program has printed so far, while it runs, and may send it a signal.
using ProgramWatcher = std::function<void(const std::string& out, pid_t program)>;

/// Runs a program to its end.
inline ProgramResult run_command(std::vector<std::string> command,
                                 const ProgramWatcher& watcher = {}) {
  using namespace program_detail;
  Pipe out;
  Pipe err;
  const pid_t child = spawn(std::move(command), out, err);
  ProgramResult result;
  drain(out, err, [&](std::string ProgramResult::*output, std::string_view text) {
    (result.*output).append(text);
    if (watcher) watcher(result.out, child);
  });
  result.exit_code = wait_for(child);
  return result;
}

#ifdef GOSSAMER_PROGRAM
/// Runs the gossamer program that was built along with the tests.
inline ProgramResult run_program(std::vector<std::string> arguments,
                                 const ProgramWatcher& watcher = {}) {
  arguments.insert(arguments.begin(), GOSSAMER_PROGRAM);
  return run_command(std::move(arguments), watcher);
}
#endif

}  // namespace gossamer::testing
