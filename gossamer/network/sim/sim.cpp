// How it works. A node is an actor: a fibre that SimGrid resumes when what it waits for has
// happened. A message is a SimGrid communication between two hosts that no actor waits for: it is
// started in kernel mode when the one before it is through, SimGrid calls back when its bytes are
// sent, and a timer when the latency is over, which puts it into the receiver's inbox (lane.hpp).
// Actors, kernel and callbacks take turns in one thread, so everything here is plain memory without
// locks. docs/decisions/0006-simulation.md has the reasons.

#include "gossamer/network/sim/sim.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <map>
#include <simgrid/Exception.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/simix.hpp>
#include <stdexcept>
#include <utility>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/ring_queue.hpp"
#include "gossamer/network/sim/lane.hpp"
#include "gossamer/network/sim/platform.hpp"
#include "gossamer/network/sim/processors.hpp"
#include "gossamer/network/sim/setup.hpp"

namespace gossamer {
namespace {

namespace s4u = simgrid::s4u;

// A deadline from here on is none: seconds as a double, SimGrid's clock, have no nanoseconds there.
constexpr Time kEndless{Duration(std::int64_t{1} << 62)};

// Kernel mode is where SimGrid's state may change; an actor is suspended while it lasts.
template <typename Change>
void in_kernel(Change change) {
  simgrid::kernel::actor::simcall_answered(change);
}

struct NodeState {
  s4u::Host* host = nullptr;
  s4u::ActorPtr actor;
  RingQueue<Arrival> inbox;
  s4u::SemaphorePtr came = s4u::Semaphore::create(0);
  bool waits = false;
  bool waits_endlessly = false;
  bool ended = false;
};

/// All nodes of a simulation and what is between them.
///
/// Invariant: movers_ counts what can still make something happen: nodes that do not wait without
/// end, messages under way, and events to come. When it reaches zero, those who wait would wait for
/// ever.
class World final : public Tower {
 public:
  World(const Machines& machines, const SimSetup& setup, const SimPlatform& platform)
      : machines_(machines),
        platform_(platform),
        processor_(setup.processors, platform.shared_processor),
        acquaintances_(machines.nodes(), setup),
        incidents_(incidents_of(setup)),
        nodes_(machines.nodes()),
        start_(s4u::Engine::get_clock()),
        movers_(nodes_.size() + incidents_.size()) {
    for (NodeId id = 0; id < nodes_.size(); ++id)
      nodes_[id].host = platform.hosts[machines.of(id)];
  }

  void run(const s4u::Engine& engine, const std::function<void(Network&)>& node_main);

  [[nodiscard]] NodeId size() const { return machines_.nodes(); }

  [[nodiscard]] NodeState& node(NodeId id) { return nodes_[id]; }

  [[nodiscard]] Time now() const {
    return Time(Duration(std::llround((s4u::Engine::get_clock() - start_) * 1e9)));
  }

  /// Lets the time pass that a node computes.
  void compute(Duration work) const {
    if (processor_.exists()) {
      processor_.compute(work);
    } else {
      sleep_until(now() + work);
    }
  }

  void sleep_until(Time time) const {
    s4u::this_actor::sleep_until(start_ + seconds(time.time_since_epoch()));
  }

  void post(NodeId to, Arrival arrival) {
    const NodeId from = arrival.from;
    expects(acquaintances_.know(from, to),
            "a message goes to a node that SimSetup::pairs connects with its sender");
    Lane& lane = lane_of(from, to);
    in_kernel([&] {
      ended_activities_.clear();  // this is no callback of theirs
      lane.post(std::move(arrival));
    });
  }

  /// Until something comes, the deadline, or the end of all that could come.
  void wait(NodeId id, Time deadline) {
    NodeState& self = nodes_[id];
    self.waits = true;
    if (deadline >= kEndless) {
      self.waits_endlessly = true;
      settle(1);
      self.came->acquire();
    } else if (self.came->acquire_timeout(seconds(deadline - now())) && !self.waits) {
      self.came->acquire();  // what somebody released in the very instant of the deadline
    }
    self.waits = false;
  }

 private:
  Lane& lane_of(NodeId from, NodeId to) {
    const auto known = lanes_.find({from, to});
    if (known != lanes_.end()) return known->second;
    s4u::Host* const from_host = nodes_[from].host;
    s4u::Host* const to_host = nodes_[to].host;
    const Lane::Way way{from, to, from_host, to_host, platform_.latency(*from_host, *to_host)};
    return lanes_.try_emplace({from, to}, *this, way).first->second;
  }

  // Tower.

  [[nodiscard]] const SharedProcessor& processor() const override { return processor_; }

  void took_off() override { ++movers_; }

  void landed() override { settle(1); }

  void arrived(NodeId to, Arrival arrival) override { put(to, std::move(arrival)); }

  void keep_for_now(s4u::ActivityPtr ended) override {
    ended_activities_.push_back(std::move(ended));
  }

  void put(NodeId to, Arrival arrival) {
    if (nodes_[to].ended) return;
    nodes_[to].inbox.push(std::move(arrival));
    wake(nodes_[to]);
  }

  void wake(NodeState& node) {
    if (!std::exchange(node.waits, false)) return;
    if (std::exchange(node.waits_endlessly, false)) ++movers_;
    node.came->release();
  }

  // So many movers have come to rest.
  void settle(std::size_t count) {
    movers_ -= count;
    if (movers_ > 0) return;
    in_kernel([&] {
      for (NodeState& node : nodes_)
        if (node.waits_endlessly) wake(node);
    });
  }

  void end(NodeId id) {
    in_kernel([&] {
      nodes_[id].ended = true;
      report_loss(id);
      settle(1);
    });
  }

  void report_loss(NodeId id) {
    acquaintances_.for_each_of(id, [&](NodeId peer) { report_loss_to(peer, id); });
  }

  // Behind what is still under way; straight to the peer where nothing is, as for most pairs of a
  // large run.
  void report_loss_to(NodeId peer, NodeId id) {
    const Arrival loss{Arrival::Kind::kPeerLost, id, 0, {}, {}};
    const auto lane = lanes_.find({id, peer});
    if (lane == lanes_.end() || lane->second.is_idle()) {
      put(peer, loss);
    } else {
      lane->second.post_news(loss);
    }
  }

  // All nodes of the machine stop. Those who were still running are returned, to be killed.
  std::vector<NodeId> fail(NodeId machine) {
    std::vector<NodeId> victims;
    std::size_t stopped = 0;
    for (NodeId id = 0; id < size(); ++id) {
      NodeState& node = nodes_[id];
      if (machines_.of(id) != machine || node.ended) continue;
      victims.push_back(id);
      node.ended = true;
      if (!node.waits_endlessly) ++stopped;
      node.waits = node.waits_endlessly = false;
    }
    for (auto& [ends, lane] : lanes_) {
      const auto [from, to] = ends;
      if (machines_.of(from) == machine || machines_.of(to) == machine)
        stopped += lane.lose_messages();  // that its sender had ended before is still news
    }
    for (const NodeId id : victims)
      report_loss(id);
    movers_ -= stopped;
    return victims;
  }

  void happen(const Incident& incident) {
    std::vector<NodeId> victims;
    in_kernel([&] {
      if (incident.kind == Incident::Kind::kFail) {
        victims = fail(machines_.of(incident.a));
      } else {
        for (Lane* const lane :
             {&lane_of(incident.a, incident.b), &lane_of(incident.b, incident.a)}) {
          if (incident.kind == Incident::Kind::kCut) {
            movers_ -= lane->cut();
          } else {
            lane->heal();
          }
        }
      }
      settle(1);
    });
    for (const NodeId id : victims)
      nodes_[id].actor->kill();
  }

  void node_actor(NodeId id, const std::function<void(Network&)>& node_main);

  const Machines& machines_;
  const SimPlatform& platform_;
  SharedProcessor processor_;
  Acquaintances acquaintances_;
  std::vector<Incident> incidents_;
  std::vector<NodeState> nodes_;
  double start_;
  std::size_t movers_;
  std::vector<s4u::ActivityPtr> ended_activities_;
  std::map<std::pair<NodeId, NodeId>, Lane> lanes_;
  std::exception_ptr failure_;
};

class SimNetwork final : public Network {
 public:
  SimNetwork(World& world, NodeId self) : world_(world), self_(self) {}

  [[nodiscard]] NodeId self() const override { return self_; }

  [[nodiscard]] NodeId size() const override { return world_.size(); }

  [[nodiscard]] Arrival receive(Time deadline) override {
    RingQueue<Arrival>& inbox = world_.node(self_).inbox;
    if (inbox.empty() && deadline > now()) world_.wait(self_, deadline);
    if (!inbox.empty()) {
      starved_ = false;
      return inbox.pop();
    }
    if (deadline < kEndless) {
      not_before_ = std::max(not_before_, deadline);
    } else if (std::exchange(starved_, true)) {
      throw std::runtime_error("every node waits for a message, and none is on its way");
    }
    return {};
  }

  [[nodiscard]] Time now() const override { return std::max(world_.now(), not_before_); }

  void spend(Duration compute) override {
    expects(compute >= Duration{0}, "a computation takes no negative time");
    if (compute == Duration{0}) return;
    const Time earliest = now() + compute;
    world_.compute(compute);
    not_before_ = earliest;
  }

  [[nodiscard]] bool shares_thread() const override { return true; }

 private:
  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override {
    world_.post(to, arrival_of(kind, self_, round, message));
  }

  World& world_;
  NodeId self_;
  // SimGrid lets events within a nanosecond happen at once, so a wait can end that much early.
  Time not_before_{};
  bool starved_ = false;  // the last endless wait was for nothing
};

void World::node_actor(NodeId id, const std::function<void(Network&)>& node_main) {
  SimNetwork network(*this, id);
  try {
    node_main(network);
  } catch (const simgrid::ForcefulKillException&) {
    throw;  // how SimGrid unwinds the stack of an actor that is killed
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
  end(id);
}

void World::run(const s4u::Engine& engine, const std::function<void(Network&)>& node_main) {
  for (NodeId id = 0; id < size(); ++id) {
    nodes_[id].actor = s4u::Actor::create("node", nodes_[id].host,
                                          [this, id, &node_main] { node_actor(id, node_main); });
  }
  // A daemon does not keep the simulation alive.
  s4u::Actor::create("events", nodes_[0].host, [this] {
    for (const Incident& incident : incidents_) {
      sleep_until(incident.at);
      happen(incident);
    }
  })->daemonize();
  engine.run();
  if (failure_) std::rethrow_exception(failure_);
  expects(std::ranges::all_of(nodes_, &NodeState::ended), "a simulation ends with its nodes");
}

}  // namespace

Result<void> run_sim(NodeId size, const SimSetup& setup,
                     const std::function<void(Network&)>& node_main) {
  if (size == 0) return {};
  const Machines machines(size, setup);
  if (auto checked = check_setup(machines, setup); !checked) return checked;
  if (s4u::Engine::has_instance())
    return Error{"this process is already simulating; run one simulation after the other"};
  prepare_simgrid();
  Lane::listen_to_simgrid();
  const s4u::Engine engine("gossamer");
  const auto platform = make_platform(engine, machines, setup);
  if (!platform) return platform.error();
  World world(machines, setup, platform.value());
  world.run(engine, node_main);
  return {};
}

}  // namespace gossamer
