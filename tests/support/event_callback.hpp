#pragma once

#include <functional>
#include <utility>

#include "gossamer/events/sink.hpp"

namespace gossamer::testing {

/// Hands each event to a function, on the thread where it happens.
class EventCallback final : public EventSink {
 public:
  explicit EventCallback(std::function<void(const Event&)> call) : call_(std::move(call)) {}

  void take(const Event& event) noexcept override { call_(event); }

 private:
  std::function<void(const Event&)> call_;
};

}  // namespace gossamer::testing
