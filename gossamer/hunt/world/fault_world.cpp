#include "gossamer/hunt/world/fault_world.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "gossamer/base/contract.hpp"
#include "gossamer/hunt/world/fiber.hpp"

namespace gossamer {
namespace {

// How often a node may ask the network for something while no time passes. A round takes a few for
// each neighbour.
constexpr std::uint64_t kMostCallsAtOneTime = 100'000;

// Runs of some hundred rounds take some ten thousand: more is a storm of messages.
constexpr std::uint64_t kMostSteps = 1'000'000;

}  // namespace

/// One process: it runs only while it has the turn.
class FaultWorld::Runner {
 public:
  Runner(FaultWorld& world, NodeId node, Process process)
      : world_(world), node_(node), fiber_([this, main = std::move(process)] { run(main); }) {}

  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// By the world: until the process waits or ends.
  void take_turn() { fiber_.resume(); }

  /// By the process: until it has the turn again. Throws Killed.
  void wait_for_turn() {
    fiber_.yield();
    if (is_killed) throw Killed();
  }

  void wait_until(Time time, bool for_arrivals) {
    ++waits_;
    waits_for_arrivals_ = for_arrivals;
    is_waiting_ = true;
    wake_at(time);
    wait_for_turn();
  }

  /// Not at once: somebody else may have the turn.
  void put(Arrival arrival) {
    inbox.push_back(std::move(arrival));
    world_.most_unread_ = std::max(world_.most_unread_, inbox.size());
    if (is_waiting_ && waits_for_arrivals_) wake_at(world_.clock_.now());
  }

  [[nodiscard]] NodeId node() const { return node_; }

  /// Ends it: it is told the next time it has the turn, which is now.
  void kill() {
    is_killed = true;
    if (!has_ended) take_turn();
  }

  std::deque<Arrival> inbox;
  bool is_killed = false;
  bool is_paused = false;
  bool has_ended = false;
  bool missed_turn = false;  // while it was paused
  std::uint64_t calls = 0;   // since time has passed
  Time called_at{};

 private:
  friend class FaultWorld;

  void run(const Process& process);

  /// If it still waits for the same thing then.
  void wake_at(Time time) {
    world_.clock_.at(time, [this, number = waits_] {
      if (number == waits_ && is_waiting_) world_.let_run(*this);
    });
  }

  FaultWorld& world_;
  NodeId node_;
  std::uint64_t waits_ = 0;
  bool is_waiting_ = false;
  bool waits_for_arrivals_ = false;
  Fiber fiber_;
};

/// The network of one process.
class FaultWorld::Port final : public Network {
 public:
  Port(FaultWorld& world, Runner& runner) : world_(world), runner_(runner) {}

  ~Port() override {
    if (!runner_.is_killed) world_.links_.ended(runner_.node());
  }

  [[nodiscard]] NodeId self() const override { return runner_.node(); }

  [[nodiscard]] NodeId size() const override { return static_cast<NodeId>(world_.runners_.size()); }

  [[nodiscard]] Arrival receive(Time deadline) override {
    count_call();
    while (runner_.inbox.empty() && world_.clock_.now() < deadline)
      runner_.wait_until(deadline, true);
    if (runner_.inbox.empty()) return {};
    Arrival arrival = std::move(runner_.inbox.front());
    runner_.inbox.pop_front();
    if (arrival.kind == Arrival::Kind::kPeerBack) world_.links_.heard_back(self(), arrival.from);
    return arrival;
  }

  // Who asks for the time again and again, and for nothing else, spins as well.
  [[nodiscard]] Time now() const override {
    count_call();
    return world_.clock_.now();
  }

  void spend(Duration compute) override {
    const Time until = world_.clock_.now() + compute;
    while (world_.clock_.now() < until)
      runner_.wait_until(until, false);
  }

  [[nodiscard]] bool shares_thread() const override { return true; }

 private:
  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override {
    if (runner_.is_killed) return;
    count_call();
    world_.links_.send(self(), to, arrival_of(kind, self(), round, message));
  }

  void count_call() const {
    if (runner_.is_killed) return;
    if (std::exchange(runner_.called_at, world_.clock_.now()) != world_.clock_.now())
      runner_.calls = 0;
    if (++runner_.calls < kMostCallsAtOneTime) return;
    world_.spins_ = true;
    world_.spinning_ = runner_.node();
    // It would never give the turn back by itself.
    runner_.wait_until(Time::max(), false);
  }

  FaultWorld& world_;
  Runner& runner_;
};

void FaultWorld::Runner::run(const Process& process) {
  if (!is_killed) {
    try {
      Port port(world_, *this);
      process(port);
    } catch (const Killed&) {
    } catch (...) {
      if (!world_.thrown_) world_.thrown_ = std::current_exception();
    }
  }
  has_ended = true;
}

FaultWorld::FaultWorld(const FaultLinksSetup& setup)
    : links_(setup, clock_, [this](NodeId to, Arrival arrival) { put(to, std::move(arrival)); }),
      runners_(setup.size) {}

FaultWorld::~FaultWorld() {
  for (NodeId node = 0; node < runners_.size(); ++node) {
    if (runners_[node] && !runners_[node]->has_ended) runners_[node]->kill();
  }
}

void FaultWorld::start(NodeId node, Process process) {
  expects(!is_running(node), "a process in the place of one that has ended");
  // What is due may still name it.
  if (runners_[node]) ended_.push_back(std::move(runners_[node]));
  runners_[node] = std::make_unique<Runner>(*this, node, std::move(process));
  links_.started(node);
  Runner* const runner = runners_[node].get();
  clock_.after(Duration{}, [this, runner] {
    if (runner->waits_ == 0) let_run(*runner);
  });
}

void FaultWorld::kill(NodeId node) {
  if (!is_running(node)) return;
  links_.killed(node);
  runners_[node]->kill();
}

void FaultWorld::pause(NodeId node) {
  if (!is_running(node) || runners_[node]->is_paused) return;
  runners_[node]->is_paused = true;
  links_.paused(node);
}

void FaultWorld::resume(NodeId node) {
  if (!is_running(node) || !runners_[node]->is_paused) return;
  Runner& runner = *runners_[node];
  runner.is_paused = false;
  links_.resumed(node);
  if (std::exchange(runner.missed_turn, false)) let_run(runner);
}

bool FaultWorld::is_running(NodeId node) const {
  return runners_[node] && !runners_[node]->has_ended;
}

bool FaultWorld::is_paused(NodeId node) const {
  return is_running(node) && runners_[node]->is_paused;
}

FaultWorld::End FaultWorld::run(Time limit) {
  const auto any_runs = [this] {
    for (NodeId node = 0; node < runners_.size(); ++node) {
      if (is_running(node)) return true;
    }
    return false;
  };
  for (std::uint64_t steps = 0; !spins_ && !thrown_ && !is_stopped_ && clock_.step(limit);) {
    if (++steps > kMostSteps) spins_ = true;
  }
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (spins_) return End::kSpins;
  return any_runs() ? End::kTimeIsUp : End::kAllEnded;
}

void FaultWorld::put(NodeId to, Arrival arrival) {
  if (is_running(to)) runners_[to]->put(std::move(arrival));
}

void FaultWorld::let_run(Runner& runner) {
  if (runner.has_ended) return;
  if (runner.is_paused) {
    runner.missed_turn = true;
    return;
  }
  runner.is_waiting_ = false;
  runner.take_turn();
}

}  // namespace gossamer
