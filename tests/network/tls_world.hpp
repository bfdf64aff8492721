#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/network/world.hpp"

#include "gossamer/events/sentence.hpp"
#include "gossamer/events/sink.hpp"
#include "gossamer/network/tls/tls.hpp"

namespace gossamer::testing {

enum class Wires { kTls, kTcp };

/// Nodes as threads of this process that talk over loopback: what run_inproc() is with memory.
void run_tls(NodeId size, const std::function<void(Network&)>& node_main);
void run_tcp(NodeId size, const std::function<void(Network&)>& node_main);

/// What a network tells, kept. Thread-safe.
class Told final : public EventSink {
 public:
  void take(const Event& event) noexcept override {
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
  }

  [[nodiscard]] std::vector<Event> events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }

  [[nodiscard]] std::vector<Event> events(EventKind kind) const {
    std::vector<Event> some = events();
    std::erase_if(some, [kind](const Event& event) { return event.kind() != kind; });
    return some;
  }

  /// As people read them.
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const Event& event : events())
      lines.push_back(sentence_of(event));
    return lines;
  }

  /// Whether one of the lines contains this.
  [[nodiscard]] bool has(const std::string& part) const {
    return std::ranges::any_of(
        lines(), [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Event> events_;
};

/// Nodes that all know each other, on ports that are taken already.
class Neighbourhood {
 public:
  Neighbourhood(NodeId size, Wires wires);

  /// The set-up of a node, for the test to change. What it tells goes to told(node).
  [[nodiscard]] TlsSetup& setup(NodeId node) { return setups_[node]; }

  [[nodiscard]] std::uint16_t port(NodeId node) const { return ports_[node]; }

  [[nodiscard]] const Told& told(NodeId node) const { return *told_[node]; }

  /// The first time on the listener made for it, later on the same port again.
  [[nodiscard]] std::unique_ptr<TlsNetwork> open(NodeId node);

 private:
  std::vector<TlsListener> listeners_;
  std::vector<char> is_used_;
  std::vector<std::uint16_t> ports_;
  std::vector<TlsSetup> setups_;
  std::vector<std::unique_ptr<Told>> told_;
};

}  // namespace gossamer::testing
