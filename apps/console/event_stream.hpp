#pragma once

#include <chrono>

#include "gossamer/events/sink.hpp"

namespace gossamer::cli {

/// Prints what happens as the JSON lines of docs/events.md, for a program that reads them: launch.
/// At most ten rounds a second are among them.
class EventStream final : public EventListener {
 public:
  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    return kind != EventKind::kSpans;
  }

  void take(const Event& event) override;
  void flush() override;

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point last_round_{};
};

}  // namespace gossamer::cli
