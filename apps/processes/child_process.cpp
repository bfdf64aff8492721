#include "apps/processes/child_process.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace gossamer::cli {
namespace {

struct Pipe {
  Descriptor read;
  Descriptor write;
};

std::optional<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// Sockets, because a write to one that nobody reads can be had without a signal.
std::optional<Pipe> make_input() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return std::nullopt;
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

std::optional<Pipe> no_input() {
  Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (nothing.get() < 0) return std::nullopt;
  return Pipe{std::move(nothing), Descriptor()};
}

struct ChildSetup {
  std::vector<char*> arguments;
  std::array<int, 3> streams;
  int failure;  // where to write errno to if the program cannot be started
  pid_t parent;
  sigset_t mask;
};

// What the child does between fork() and the program's start.
[[noreturn]] void become(const ChildSetup& setup) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != setup.parent) ::_exit(127);  // it died before we asked to be told
  for (int stream = 0; stream < 3; ++stream)
    ::dup2(setup.streams[static_cast<std::size_t>(stream)], stream);
  ::sigprocmask(SIG_SETMASK, &setup.mask, nullptr);
  ::execvp(setup.arguments.front(), setup.arguments.data());
  const int error = errno;
  (void)write_all(setup.failure, {reinterpret_cast<const char*>(&error), sizeof(error)});
  ::_exit(127);
}

// The errno that the child left instead of a program; 0 if the program runs.
int failure_of_start(int from) {
  int error = 0;
  ssize_t count = 0;
  do {
    count = ::read(from, &error, sizeof(error));
  } while (count < 0 && errno == EINTR);
  return count == sizeof(error) ? error : 0;
}

std::string_view signal_name(int signal) {
  switch (signal) {
    case SIGINT:
      return "INT";
    case SIGTERM:
      return "TERM";
    default:
      return "KILL";
  }
}

Error cannot_start(const std::string& program, int error) {
  return Error{fmt::format("cannot start '{}': {}", program, std::strerror(error))};
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const ChildCommand& command, const sigset_t& mask,
                                         OnLines on_lines) {
  const std::string& program = command.arguments.front();
  auto input = command.signals_by == ChildCommand::SignalsBy::kInput ? make_input() : no_input();
  auto out = make_pipe();
  auto err = make_pipe();
  auto failure = make_pipe();
  if (!input || !out || !err || !failure) return cannot_start(program, errno);
  std::vector<std::string> arguments = command.arguments;
  ChildSetup setup{{},
                   {input->read.get(), out->write.get(), err->write.get()},
                   failure->write.get(),
                   ::getpid(),
                   mask};
  for (std::string& argument : arguments)
    setup.arguments.push_back(argument.data());
  setup.arguments.push_back(nullptr);

  const pid_t process = ::fork();
  if (process < 0) return cannot_start(program, errno);
  if (process == 0) become(setup);
  failure->write.close();
  if (const int error = failure_of_start(failure->read.get()); error != 0) {
    ::waitpid(process, nullptr, 0);
    return cannot_start(program, error);
  }
  std::vector<Output> outputs;
  outputs.push_back({std::move(out->read), ChildStream::kOut, WholeLines()});
  outputs.push_back({std::move(err->read), ChildStream::kErr, WholeLines()});
  for (const Output& output : outputs)
    ::fcntl(output.from.get(), F_SETFL, O_NONBLOCK);
  return ChildProcess(process, std::move(input->write), std::move(outputs), std::move(on_lines));
}

ChildProcess::~ChildProcess() {
  if (process_.number < 0 || end_) return;
  kill();
  while (::waitpid(process_.number, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::array<int, 2> ChildProcess::outputs() const {
  return {outputs_[0].from.get(), outputs_[1].from.get()};
}

ChildProcess::Left ChildProcess::read_some(Output& output) {
  std::array<char, 1 << 16> buffer;  // NOLINT: read() fills it
  const ssize_t count = ::read(output.from.get(), buffer.data(), buffer.size());
  if (count > 0) {
    pass_on(output, output.lines.take({buffer.data(), static_cast<std::size_t>(count)}));
    return Left::kMore;
  }
  if (count < 0 && errno == EINTR) return Left::kMore;
  if (count < 0 && errno == EAGAIN) return Left::kNothing;
  output.from.close();
  pass_on(output, output.lines.finish());
  return Left::kNothing;
}

void ChildProcess::pass_on(const Output& output, const std::string& lines) {
  if (!lines.empty()) on_lines_(output.stream, lines);
}

void ChildProcess::pass_on(std::size_t output) {
  (void)read_some(outputs_.at(output));
}

void ChildProcess::signal_program(int signal) const {
  if (end_) return;
  if (input_.get() < 0) {
    ::kill(process_.number, signal);
    return;
  }
  const std::string line = fmt::format("{}\n", signal_name(signal));
  // A child that does not read any more is one that kill() is for.
  (void)::send(input_.get(), line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void ChildProcess::kill() const {
  if (!end_) ::kill(process_.number, SIGKILL);
}

bool ChildProcess::look_for_end() {
  int status = 0;
  if (end_ || ::waitpid(process_.number, &status, WNOHANG) != process_.number) return false;
  end_ = WIFEXITED(status) ? ChildEnd{WEXITSTATUS(status), 0} : ChildEnd{0, WTERMSIG(status)};
  // Not until its outputs are closed: a process that it left behind may keep them open.
  for (Output& output : outputs_) {
    while (output.from.get() >= 0 && read_some(output) == Left::kMore) {
    }
    pass_on(output, output.lines.finish());
    output.from.close();
  }
  return true;
}

}  // namespace gossamer::cli
