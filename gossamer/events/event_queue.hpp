#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/events/event_kinds.hpp"
#include "gossamer/events/sink.hpp"

namespace gossamer {

/// Hands events on to listeners, in the order in which they came, on a thread of its own: however
/// long a listener takes, no node waits for it. A listener that throws is not called again.
///
/// Rounds may be over faster than anybody can look at them. Of those of one node that wait here
/// only the last is kept, and they wait for a moment, so that they do not wake the thread each
/// time. Everything else is kept, and handed on at once.
///
/// Thread safety: all of it. drain() and the destructor are not for listeners to call.
class EventQueue final : public EventSink {
 public:
  /// The listeners must outlive it.
  explicit EventQueue(std::vector<EventListener*> listeners);
  /// Drains it.
  ~EventQueue() override;

  /// What any listener wants that has not failed.
  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    return EventKinds(wanted_.load(std::memory_order_relaxed)).has(kind);
  }

  void take(const Event& event) noexcept override;

  /// Returns when all that was taken before has been handed on.
  void drain();

  /// How many rounds were replaced by later ones before anybody saw them.
  [[nodiscard]] std::uint64_t left_out() const;

  /// The sentences of listeners that failed.
  [[nodiscard]] std::vector<std::string> errors() const;

 private:
  using Events = std::list<Event>;

  void take_round(const Event& event);
  void run();
  void hand_on(const Events& batch);
  /// Calls one listener, or takes it off the list.
  template <typename Call>
  void call(EventListener*& listener, const Call& call);
  void forget_failed();

  // Of the thread.
  std::vector<EventListener*> listeners_;

  std::atomic<EventKinds::Bits> wanted_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;     // the thread: it is urgent
  std::condition_variable drained_;  // handed_on_ has grown
  Events waiting_;
  std::map<NodeId, Events::iterator> rounds_;  // the RoundDone of each node in waiting_
  bool is_urgent_ = false;
  bool is_ending_ = false;
  std::uint64_t taken_ = 0;
  std::uint64_t handed_on_ = 0;
  std::uint64_t left_out_ = 0;
  std::vector<std::string> errors_;

  // Last: it works on all of the above.
  std::thread thread_;
};

}  // namespace gossamer
