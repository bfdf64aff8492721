#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/e2e/program.hpp"

namespace gossamer::testing {

/// Why scripts/namespaces cannot make hosts here, in one line; empty where it can.
std::string why_there_are_no_namespaces();

/// What the connection of every host of a Testbed is like.
struct Cables {
  int mbit_per_second = 0;
  int milliseconds = 0;
};

/// Hosts 1 to `hosts` of scripts/namespaces, for as long as this lives. Each Testbed has a name of
/// its own.
class Testbed {
 public:
  Testbed(int hosts, Cables cables);
  ~Testbed();

  Testbed(const Testbed&) = delete;
  Testbed& operator=(const Testbed&) = delete;

  void cut(int a, int b) const;
  void heal(int a, int b) const;

  /// Ends all that runs on a host, with SIGKILL.
  void kill(int host) const;

  /// What run_command() takes to run a command on a host.
  [[nodiscard]] std::vector<std::string> on_host(int host, std::vector<std::string> command) const;

  /// Does something on a host, in this process: sockets that it opens are that host's, and stay so.
  void visit(int host, const std::function<void()>& work) const;

  /// Runs scripts/namespaces for this testbed.
  [[nodiscard]] ProgramResult script(std::vector<std::string> arguments) const;

  [[nodiscard]] static std::string address(int host);

 private:
  void must(std::vector<std::string> arguments) const;

  std::string name_;
};

}  // namespace gossamer::testing
