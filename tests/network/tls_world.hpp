#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/network/world.hpp"

#include "gossamer/network/tls/tls.hpp"

namespace gossamer::testing {

enum class Wires { kTls, kTcp };

/// Nodes as threads of this process that talk over loopback: what run_inproc() is with memory.
void run_tls(NodeId size, const std::function<void(Network&)>& node_main);
void run_tcp(NodeId size, const std::function<void(Network&)>& node_main);

/// Lines that a network says, kept. Thread-safe.
class Lines {
 public:
  void add(const std::string& line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(line);
  }

  [[nodiscard]] std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

  /// Whether one of them contains this.
  [[nodiscard]] bool has(const std::string& part) const {
    return std::ranges::any_of(
        all(), [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

/// Nodes that all know each other, on ports that are taken already.
class Neighbourhood {
 public:
  Neighbourhood(NodeId size, Wires wires);

  /// The set-up of a node, for the test to change. What it says goes to lines(node).
  [[nodiscard]] TlsSetup& setup(NodeId node) { return setups_[node]; }

  [[nodiscard]] std::uint16_t port(NodeId node) const { return ports_[node]; }

  [[nodiscard]] const Lines& lines(NodeId node) const { return *lines_[node]; }

  /// The first time on the listener made for it, later on the same port again.
  [[nodiscard]] std::unique_ptr<TlsNetwork> open(NodeId node);

 private:
  std::vector<TlsListener> listeners_;
  std::vector<char> is_used_;
  std::vector<std::uint16_t> ports_;
  std::vector<TlsSetup> setups_;
  std::vector<std::unique_ptr<Lines>> lines_;
};

}  // namespace gossamer::testing
