#include "gossamer/network/sockets/handover.hpp"

namespace gossamer::tls {
namespace {

// Longer than what a node does between two messages of a conversation, shorter than anything a peer
// waits for.
constexpr auto kAway = std::chrono::milliseconds(1);

}  // namespace

Handover::Handover(EventLoop& loop) : loop_(loop), helper_([this] { help(); }) {}

Handover::~Handover() {
  is_over_ = true;
  loop_.interrupt();
  wake_helper();
  helper_.join();
  loop_.resume();
}

// Each side first says that it comes and then looks for the other, so that one of them notices: the
// node interrupts a helper that is inside, a helper that finds the node inside leaves.
void Handover::enter() {
  node_is_inside_ = true;
  if (helper_is_inside_) loop_.interrupt();
  token_.lock();
  loop_.resume();
}

void Handover::leave(Left left) {
  node_left_at_.store(Clock::now(), std::memory_order_relaxed);
  token_.unlock();
  node_is_inside_ = false;
  if (left == Left::kUnsentBytes) {
    const std::lock_guard lock(sleep_);
    is_urgent_ = true;
    helper_is_parked_ = false;
    wake_.notify_one();
  } else if (helper_is_parked_) {
    wake_helper();
  }
}

void Handover::wake_helper() {
  const std::lock_guard lock(sleep_);
  helper_is_parked_ = false;
  wake_.notify_one();
}

void Handover::help() {
  while (!is_over_) {
    std::unique_lock lock(sleep_);
    if (!is_my_turn(lock)) continue;
    lock.unlock();
    run_loop();
  }
}

// Sleeps for as long as there is a reason to; then looks again.
bool Handover::is_my_turn(std::unique_lock<std::mutex>& lock) {
  if (is_urgent_) {
    is_urgent_ = false;
    return true;
  }
  if (node_is_inside_) {
    helper_is_parked_ = true;
    if (node_is_inside_ && !is_over_) wake_.wait(lock, [&] { return !helper_is_parked_; });
    helper_is_parked_ = false;
    return false;
  }
  const Clock::time_point turn = node_left_at_.load(std::memory_order_relaxed) + kAway;
  if (turn <= Clock::now()) return true;
  wake_.wait_until(lock, turn, [&] { return is_urgent_ || is_over_; });
  return false;
}

void Handover::run_loop() {
  // A node that is back already does it itself.
  const std::unique_lock token(token_, std::try_to_lock);
  if (!token) return;
  helper_is_inside_ = true;
  while (!node_is_inside_ && !is_over_)
    loop_.run_one();
  helper_is_inside_ = false;
}

}  // namespace gossamer::tls
