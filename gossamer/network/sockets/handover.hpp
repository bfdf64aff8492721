#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "gossamer/network/sockets/event_loop.hpp"

namespace gossamer::tls {

/// Whoever waits does the I/O. While the node's thread is inside a call of its network, it runs the
/// loop itself; when it has been away for a moment, or left bytes unsent, a thread of ours takes
/// over until it is back. So a node that sends and waits in turns pays for no switch of threads,
/// and links live on while it computes.
///
/// Thread safety: enter() and leave() belong to the node's thread. Invariant: only who holds the
/// token touches the loop and all that hangs on it.
class Handover {
 public:
  explicit Handover(EventLoop& loop);
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;
  ~Handover();

  enum class Left { kNothing, kUnsentBytes };

  void enter();
  void leave(Left left);

 private:
  void help();
  [[nodiscard]] bool is_my_turn(std::unique_lock<std::mutex>& lock);
  void run_loop();
  void wake_helper();

  EventLoop& loop_;
  std::mutex token_;

  std::atomic<bool> node_is_inside_ = false;
  std::atomic<bool> helper_is_inside_ = false;
  std::atomic<Clock::time_point> node_left_at_ = Clock::time_point{};

  // How the helper sleeps. It is parked while the node is inside, and then costs nothing.
  std::mutex sleep_;
  std::condition_variable wake_;
  std::atomic<bool> helper_is_parked_ = false;
  bool is_urgent_ = false;
  std::atomic<bool> is_over_ = false;

  std::thread helper_;
};

/// The node's thread is inside as long as this lives.
class Visit {
 public:
  explicit Visit(Handover& handover) : handover_(handover) { handover_.enter(); }

  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  ~Visit() { handover_.leave(left_); }

  void leaves(Handover::Left left) { left_ = left; }

 private:
  Handover& handover_;
  Handover::Left left_ = Handover::Left::kNothing;
};

}  // namespace gossamer::tls
