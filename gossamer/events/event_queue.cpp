#include "gossamer/events/event_queue.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <utility>

namespace gossamer {
namespace {

// How long a round may wait to be seen.
constexpr std::chrono::milliseconds kRoundsWait{50};

EventKinds::Bits wanted_by(const std::vector<EventListener*>& listeners) {
  EventKinds::Bits bits = 0;
  for (std::size_t i = 0; i < kEventKindCount; ++i) {
    const auto kind = static_cast<EventKind>(i);
    const bool is_wanted = std::ranges::any_of(
        listeners, [kind](const EventListener* listener) { return listener->wants(kind); });
    if (is_wanted) bits |= EventKinds{kind}.bits();
  }
  return bits;
}

}  // namespace

EventQueue::EventQueue(std::vector<EventListener*> listeners)
    : listeners_(std::move(listeners)),
      wanted_(wanted_by(listeners_)),
      thread_([this] { run(); }) {}

EventQueue::~EventQueue() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void EventQueue::take(const Event& event) noexcept {
  if (!wants(event.kind())) return;
  if (event.kind() == EventKind::kRoundDone) return take_round(event);
  Events copy{event};  // without the lock
  {
    const std::lock_guard lock(mutex_);
    ++taken_;
    waiting_.splice(waiting_.end(), copy);
    is_urgent_ = true;
  }
  wake_.notify_one();
}

void EventQueue::take_round(const Event& event) {
  const std::lock_guard lock(mutex_);
  ++taken_;
  const auto earlier = rounds_.find(event.node);
  if (earlier == rounds_.end()) {
    waiting_.push_back(event);
    rounds_.emplace(event.node, std::prev(waiting_.end()));
    return;
  }
  ++left_out_;
  *earlier->second = event;
  // Behind what has happened since.
  waiting_.splice(waiting_.end(), waiting_, earlier->second);
}

void EventQueue::drain() {
  std::unique_lock lock(mutex_);
  const std::uint64_t until = taken_;
  is_urgent_ = true;
  wake_.notify_one();
  drained_.wait(lock, [&] { return handed_on_ >= until; });
}

std::uint64_t EventQueue::left_out() const {
  const std::lock_guard lock(mutex_);
  return left_out_;
}

std::vector<std::string> EventQueue::errors() const {
  const std::lock_guard lock(mutex_);
  return errors_;
}

void EventQueue::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    // Rounds come without a call; those that are there when the time is over are handed on.
    wake_.wait_for(lock, kRoundsWait, [&] { return is_urgent_ || is_ending_; });
    is_urgent_ = false;
    if (waiting_.empty() && is_ending_) return;
    const std::uint64_t taken = taken_;
    {
      const Events batch = std::exchange(waiting_, {});
      rounds_.clear();
      lock.unlock();
      if (!batch.empty()) hand_on(batch);
    }
    lock.lock();
    handed_on_ = taken;
    drained_.notify_all();
  }
}

void EventQueue::hand_on(const Events& batch) {
  for (const Event& event : batch) {
    for (EventListener*& listener : listeners_) {
      call(listener, [&](EventListener& each) {
        if (each.wants(event.kind())) each.take(event);
      });
    }
    forget_failed();
  }
  for (EventListener*& listener : listeners_)
    call(listener, [](EventListener& each) { each.flush(); });
  forget_failed();
}

template <typename Call>
void EventQueue::call(EventListener*& listener, const Call& call) {
  std::string sentence;
  try {
    return call(*listener);
  } catch (const std::exception& failure) {
    sentence = failure.what();
  } catch (...) {
    sentence = "a listener failed, and did not say why";
  }
  listener = nullptr;
  const std::lock_guard lock(mutex_);
  errors_.push_back(std::move(sentence));
}

void EventQueue::forget_failed() {
  if (std::erase(listeners_, nullptr) > 0)
    wanted_.store(wanted_by(listeners_), std::memory_order_relaxed);
}

}  // namespace gossamer
