#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/base/time_spent.hpp"
#include "gossamer/events/sink.hpp"

namespace gossamer {

/// What every node did when, as a file that chrome://tracing and Perfetto show: one process, a
/// thread per node, a complete event per span, in microseconds of the network's clock.
///
/// Thread safety: add() may be called by all nodes at once.
class Trace final : public EventListener {
 public:
  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    return kind == EventKind::kSpans;
  }

  void take(const Event& event) override;

  /// The spans of one node, once.
  void add(NodeId node, std::span<const Span> spans);

  /// None if they were not added.
  [[nodiscard]] std::vector<Span> spans_of(NodeId node) const;

  [[nodiscard]] std::string json() const;

  /// Whole or not at all. Of an empty trace it tells, before a run, whether its file can be
  /// written.
  [[nodiscard]] Result<void> write(const std::string& path) const;

 private:
  struct NodeSpans {
    NodeId node = 0;
    std::vector<Span> spans;
  };

  mutable std::mutex mutex_;
  std::vector<NodeSpans> nodes_;  // sorted by node
};

}  // namespace gossamer
