#include "gossamer/swarm/interruption.hpp"

#include <atomic>
#include <csignal>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

// A signal handler reaches nothing but globals.
std::atomic<StopLine*> current_line = nullptr;

void ask_to_stop(int signal) {
  StopLine* const line = current_line.load();
  if (line != nullptr) line->request();
  std::signal(signal, SIG_DFL);
  // While settings and data are read nobody would notice: nothing is lost by ending at once.
  if (line == nullptr || !line->is_attended()) std::raise(signal);
}

}  // namespace

Interruption::Interruption() {
  expects(current_line.load() == nullptr, "one interruption at a time");
  current_line = &line_;
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  current_line = nullptr;
}

}  // namespace gossamer
