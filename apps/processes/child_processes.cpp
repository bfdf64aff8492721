#include "apps/processes/child_processes.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace gossamer::cli {
namespace {

/// While it lives, SIGINT, SIGTERM and the ends of children are read from a descriptor instead of
/// interrupting.
class SignalQueue {
 public:
  SignalQueue() {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD})
      sigaddset(&wanted, signal);
    // Who ignores the ends of its children is not told of them; that may be inherited.
    std::signal(SIGCHLD, SIG_DFL);
    ::pthread_sigmask(SIG_BLOCK, &wanted, &before_);
    queue_ = Descriptor(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  ~SignalQueue() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// What was blocked before.
  [[nodiscard]] const sigset_t& before() const { return before_; }

  [[nodiscard]] int descriptor() const { return queue_.get(); }

  /// The next signal; 0 if there is none.
  [[nodiscard]] int next() {
    signalfd_siginfo info{};
    return ::read(queue_.get(), &info, sizeof(info)) == sizeof(info)
               ? static_cast<int>(info.ssi_signo)
               : 0;
  }

 private:
  sigset_t before_{};
  Descriptor queue_;
};

/// How firmly the children were asked to end.
class Escalation {
 public:
  explicit Escalation(Duration grace) : grace_(grace) {}

  /// Nobody has asked for it, and there is no sense in going on.
  void end(std::vector<ChildProcess>& children) {
    if (step_ < kTerminated) go_to(kTerminated, children);
  }

  /// Returns the signal that children were sent for it.
  int on_signal(int signal, std::vector<ChildProcess>& children) {
    const Step asked = signal == SIGTERM ? kTerminated : kInterrupted;
    go_to(std::max(asked, static_cast<Step>(step_ + 1)), children);
    return sent();
  }

  void on_time(std::vector<ChildProcess>& children) {
    if (step_ >= kTerminated && step_ < kKilled && Clock::now() >= next_)
      go_to(static_cast<Step>(step_ + 1), children);
  }

  /// Milliseconds until on_time() has something to do; -1: it never has.
  [[nodiscard]] int patience() const {
    if (step_ < kTerminated || step_ >= kKilled) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_ - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
  }

 private:
  using Clock = std::chrono::steady_clock;

  // A program elsewhere is killed by a message. If its carrier does not end then, the message does
  // not arrive, and the carrier itself is killed.
  enum Step { kRunning, kInterrupted, kTerminated, kProgramsKilled, kKilled };

  void go_to(Step step, std::vector<ChildProcess>& children) {
    step_ = std::min(step, kKilled);
    next_ = Clock::now() + grace_;
    for (ChildProcess& child : children) {
      if (step_ == kKilled)
        child.kill();
      else
        child.signal_program(sent());
    }
  }

  [[nodiscard]] int sent() const {
    return step_ == kInterrupted ? SIGINT : step_ == kTerminated ? SIGTERM : SIGKILL;
  }

  Duration grace_;
  Step step_ = kRunning;
  Clock::time_point next_;
};

// Waits for a signal, a child's output or the end of patience, and passes output on.
void wait_for_news(std::vector<ChildProcess>& children, int signals, int patience) {
  std::vector<pollfd> waits = {{signals, POLLIN, 0}};
  for (const ChildProcess& child : children) {
    for (const int output : child.outputs())
      waits.push_back({output, POLLIN, 0});  // poll() passes over closed ones, being negative
  }
  if (::poll(waits.data(), waits.size(), patience) <= 0) return;
  for (std::size_t i = 1; i < waits.size(); ++i) {
    if (waits[i].fd >= 0 && waits[i].revents != 0) children[(i - 1) / 2].pass_on((i - 1) % 2);
  }
}

// Of two times to wait, of which a negative one is for ever.
int sooner(int left, int right) {
  return left < 0 || right < 0 ? std::max(left, right) : std::min(left, right);
}

bool all_have_ended(const std::vector<ChildProcess>& children) {
  return std::ranges::all_of(children,
                             [](const ChildProcess& child) { return child.end().has_value(); });
}

}  // namespace

Result<std::vector<ChildEnd>> run_children(const std::vector<ChildCommand>& commands,
                                           Duration grace, ChildListener& listener) {
  std::fflush(nullptr);  // what we printed before comes before what they print
  SignalQueue signals;
  std::vector<ChildProcess> children;
  children.reserve(commands.size());
  for (const ChildCommand& command : commands) {
    const std::size_t i = children.size();
    Result<ChildProcess> child = ChildProcess::start(
        command, signals.before(), [&listener, i](ChildStream stream, std::string_view lines) {
          listener.take(i, stream, lines);
        });
    if (!child) return child.error();
    children.push_back(std::move(child).value());
  }
  Escalation escalation(grace);
  while (!all_have_ended(children)) {
    wait_for_news(children, signals.descriptor(),
                  sooner(escalation.patience(), listener.patience()));
    while (const int signal = signals.next()) {
      if (signal != SIGCHLD) listener.signalled(escalation.on_signal(signal, children));
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!children[i].look_for_end()) continue;
      if (listener.ended(i, *children[i].end()) == ChildListener::Others::kEnd)
        escalation.end(children);
    }
    escalation.on_time(children);
    listener.on_time();
  }
  std::vector<ChildEnd> ends;
  for (const ChildProcess& child : children)
    ends.push_back(*child.end());
  return ends;
}

}  // namespace gossamer::cli
