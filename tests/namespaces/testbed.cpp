#include "tests/namespaces/testbed.hpp"

#include <atomic>
#include <fcntl.h>
#include <sched.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gossamer::testing {
namespace {

constexpr int kCannot = 77;

const std::string kScript = GOSSAMER_SOURCE_DIR "/scripts/namespaces";

std::string unused_name() {
  static std::atomic<int> testbeds = 0;
  return "gossamer-test-" + std::to_string(getpid()) + "-" + std::to_string(++testbeds);
}

}  // namespace

std::string why_there_are_no_namespaces() {
  const ProgramResult result = run_command({kScript, "check"});
  if (result.exit_code == 0) return "";
  if (result.exit_code == kCannot) return result.err;
  throw std::runtime_error("scripts/namespaces check: " + result.err);
}

Testbed::Testbed(int hosts, Cables cables) : name_(unused_name()) {
  must({"up", std::to_string(hosts), std::to_string(cables.mbit_per_second),
        std::to_string(cables.milliseconds)});
}

Testbed::~Testbed() {
  (void)script({"down"});
}

void Testbed::cut(int a, int b) const {
  must({"cut", std::to_string(a), std::to_string(b)});
}

void Testbed::heal(int a, int b) const {
  must({"heal", std::to_string(a), std::to_string(b)});
}

void Testbed::kill(int host) const {
  must({"kill", std::to_string(host)});
}

std::vector<std::string> Testbed::on_host(int host, std::vector<std::string> command) const {
  std::vector<std::string> whole = {"/usr/bin/env", "GOSSAMER_TESTBED=" + name_, kScript, "exec",
                                    std::to_string(host)};
  whole.insert(whole.end(), command.begin(), command.end());
  return whole;
}

void Testbed::visit(int host, const std::function<void()>& work) const {
  const std::string path = "/run/netns/" + name_ + "-" + std::to_string(host);
  std::exception_ptr failure;
  // A namespace belongs to a thread; this one ends with the visit.
  std::thread([&] {
    try {
      const int there = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
      const bool moved = there >= 0 && ::setns(there, CLONE_NEWNET) == 0;
      const int error = errno;
      if (there >= 0) ::close(there);
      if (!moved) throw std::system_error(error, std::generic_category(), path);
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
}

ProgramResult Testbed::script(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"/usr/bin/env", "GOSSAMER_TESTBED=" + name_, kScript});
  return run_command(std::move(arguments));
}

std::string Testbed::address(int host) {
  return "10.77.0." + std::to_string(host);
}

void Testbed::must(std::vector<std::string> arguments) const {
  const ProgramResult result = script(std::move(arguments));
  if (result.exit_code != 0) throw std::runtime_error(result.err);
}

}  // namespace gossamer::testing
