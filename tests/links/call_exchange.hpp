#pragma once

#include <cstdint>
#include <memory>

namespace gossamer::testing {

/// Stands between two nodes that call each other, one port for each to call. Holds everything that
/// they say until both have called: their calls cross, whoever was first. Then passes it on a few
/// bytes at a time, in an order that a seed decides; some directions are much slower than others.
class CallExchange {
 public:
  /// Where the nodes listen. Each connection lives for some of `most_bytes`, and the last ones for
  /// ever; 0: no connection is cut.
  CallExchange(std::uint16_t to_node_0, std::uint16_t to_node_1, std::uint64_t seed,
               std::uint64_t most_bytes);
  CallExchange(const CallExchange&) = delete;
  CallExchange& operator=(const CallExchange&) = delete;
  ~CallExchange();

  /// Where this node is called by the other.
  [[nodiscard]] std::uint16_t port_of(int node) const;

  /// Connections so far, and those that are not over.
  [[nodiscard]] int calls() const;
  [[nodiscard]] int open() const;
  [[nodiscard]] int cuts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gossamer::testing
