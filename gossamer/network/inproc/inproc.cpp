#include "gossamer/network/inproc/inproc.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/ring_queue.hpp"

namespace gossamer {
namespace {

using Clock = std::chrono::steady_clock;

/// What has come for one node and was not received yet.
/// Thread safety: all of it. Invariant: arrivals_ is touched under mutex_ only.
class Inbox {
 public:
  void put(Arrival arrival) {
    {
      const std::lock_guard lock(mutex_);
      arrivals_.push(std::move(arrival));
    }
    // The node's own thread is the only one that ever waits.
    came_.notify_one();
  }

  [[nodiscard]] std::optional<Arrival> take(Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    if (!came_.wait_until(lock, deadline, [&] { return !arrivals_.empty(); })) return std::nullopt;
    return arrivals_.pop();
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  RingQueue<Arrival> arrivals_;
};

/// What all nodes of a run share.
struct InprocWorld {
  explicit InprocWorld(NodeId size) : inboxes(size) {}

  std::vector<Inbox> inboxes;
  Clock::time_point start = Clock::now();
};

class InprocNetwork final : public Network {
 public:
  InprocNetwork(InprocWorld& world, NodeId self) : world_(world), self_(self) {}

  ~InprocNetwork() override {
    for (NodeId peer = 0; peer < size(); ++peer) {
      if (peer != self_) world_.inboxes[peer].put({Arrival::Kind::kPeerLost, self_, 0, {}, {}});
    }
  }

  [[nodiscard]] NodeId self() const override { return self_; }

  [[nodiscard]] NodeId size() const override { return static_cast<NodeId>(world_.inboxes.size()); }

  [[nodiscard]] Arrival receive(Time deadline) override {
    // A clock that adds the run's start to a deadline without end would overflow.
    const auto longest = Clock::time_point::max() - world_.start;
    const auto wait = std::min<Clock::duration>(deadline.time_since_epoch(), longest);
    return world_.inboxes[self_].take(world_.start + wait).value_or(Arrival{});
  }

  [[nodiscard]] Time now() const override {
    return Time(std::chrono::duration_cast<Duration>(Clock::now() - world_.start));
  }

  void spend(Duration) override {}

 private:
  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override {
    world_.inboxes[to].put(arrival_of(kind, self_, round, message));
  }

  InprocWorld& world_;
  NodeId self_;
};

/// The exception that came first. Thread safety: all of it.
class FirstFailure {
 public:
  void note(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void run_inproc(NodeId size, const std::function<void(Network&)>& node_main) {
  InprocWorld world(size);
  FirstFailure failure;
  {
    std::vector<std::jthread> threads;
    for (NodeId id = 0; id < size; ++id) {
      threads.emplace_back([&world, &failure, &node_main, id] {
        InprocNetwork network(world, id);
        try {
          node_main(network);
        } catch (...) {
          failure.note(std::current_exception());
        }
      });
    }
  }
  failure.rethrow();
}

}  // namespace gossamer
