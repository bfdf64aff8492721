#pragma once

#include <functional>
#include <utility>

#include "gossamer/events/event.hpp"

namespace gossamer {

/// Who is handed events in the order in which they were taken, by one thread at a time: a file, a
/// table, a page. May take its time, and may throw, with a sentence. An EventQueue stands between
/// it and the nodes.
class EventListener {
 public:
  EventListener() = default;
  EventListener(const EventListener&) = delete;
  EventListener& operator=(const EventListener&) = delete;
  virtual ~EventListener() = default;

  /// Always the same answer. Of a kind that nobody wants, no events are made.
  [[nodiscard]] virtual bool wants(EventKind) const noexcept { return true; }

  virtual void take(const Event& event) = 0;

  /// There is no more for now: what was held back to be written at once is written.
  virtual void flush() {}
};

/// What nodes and networks tell events to. Theirs is not the time to wait, nor the place to fail:
/// take() does not block, and does not throw.
///
/// Thread safety: all of it.
class EventSink : public EventListener {
 public:
  void take(const Event& event) noexcept override = 0;
};

/// Through which a node or a network tells what happens to it. Costs a null check where nobody
/// listens. As thread-safe as its clock.
class EventSource {
 public:
  /// Nobody listens.
  EventSource() = default;

  /// The sink may be null, and must outlive it.
  EventSource(EventSink* sink, NodeId node, std::function<Time()> clock)
      : sink_(sink), node_(node), clock_(std::move(clock)) {}

  [[nodiscard]] bool wants(EventKind kind) const { return sink_ != nullptr && sink_->wants(kind); }

  /// `happening` is one of What. Ask wants() first where it takes long to make.
  template <typename Happening>
  void emit(Round round, Happening happening) const {
    if (!wants(kind_of<Happening>())) return;
    sink_->take({node_, round, clock_(), std::move(happening)});
  }

 private:
  EventSink* sink_ = nullptr;
  NodeId node_ = 0;
  std::function<Time()> clock_;
};

}  // namespace gossamer
