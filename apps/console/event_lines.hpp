#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "gossamer/events/event_kinds.hpp"
#include "gossamer/events/sink.hpp"

namespace gossamer::cli {

/// A sentence with the time of day before it, on a line, without control characters.
[[nodiscard]] std::string timed_line(std::string_view sentence);

/// A line with the time of day for each thing that happens to a node's links and edges.
class EventLines final : public EventListener {
 public:
  explicit EventLines(std::FILE* out = stderr) : out_(out) {}

  [[nodiscard]] bool wants(EventKind kind) const noexcept override { return kTold.has(kind); }

  void take(const Event& event) override;

  /// A sentence that is no event's, in such a line.
  void print(std::string_view sentence) const;

 private:
  static constexpr EventKinds kTold = {
      EventKind::kLinkDown, EventKind::kLinkUp,       EventKind::kCallerRefused,
      EventKind::kPeerLost, EventKind::kPeerBack,     EventKind::kEdgeLost,
      EventKind::kEdgeBack, EventKind::kJoinRefused,  EventKind::kJoinFailed,
      EventKind::kJoined,   EventKind::kCopyRepaired, EventKind::kWaiting,
      EventKind::kSlowPeer,
  };

  std::FILE* out_;
};

}  // namespace gossamer::cli
