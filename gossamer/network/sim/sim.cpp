// How it works. A node is an actor: a fibre that SimGrid resumes when what it waits for has
// happened. A message is a SimGrid communication between two hosts that no actor waits for: it is
// started in kernel mode when the one before it is through, SimGrid calls back when its bytes are
// sent, and a timer when the latency is over, which puts it into the receiver's inbox. Actors,
// kernel and callbacks take turns in one thread, so everything here is plain memory without locks.
// docs/decisions/0006-simulation.md has the reasons.

#include "gossamer/network/sim/sim.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <simgrid/Exception.hpp>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/simix.hpp>
#include <stdexcept>
#include <utility>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/ring_queue.hpp"
#include "gossamer/network/sim/platform.hpp"
#include "gossamer/network/sim/processors.hpp"
#include "gossamer/network/sim/setup.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer {
namespace {

namespace s4u = simgrid::s4u;
using simgrid::kernel::timer::Timer;

// A deadline from here on is none: seconds as a double, SimGrid's clock, have no nanoseconds there.
constexpr Time kEndless{Duration(std::int64_t{1} << 62)};

// Kernel mode is where SimGrid's state may change; an actor is suspended while it lasts.
template <typename Change>
void in_kernel(Change change) {
  simgrid::kernel::actor::simcall_answered(change);
}

class World;
struct Lane;

/// A message between its send() and its place in an inbox.
struct Flight {
  enum class Stage {
    kQueued,    // behind others, or the lane is cut
    kSending,   // its bytes are under way
    kInTheAir,  // they are through, but not the latency, or the work of its ends
    kLanded,    // it has arrived, but perhaps one that was sent before it has not
  };

  Lane* lane = nullptr;
  Arrival arrival;
  Stage stage = Stage::kQueued;
  /// What is under way of it: its bytes, and what they cost the processors of both ends.
  std::vector<s4u::ActivityPtr> parts = {};
  const s4u::Activity* bytes = nullptr;  // one of these
  Timer* landing = nullptr;              // at the end of the latency
};

/// All that goes from one node to another, in the order of sending: a connection, on which one
/// message is sent behind the other.
struct Lane {
  World* world = nullptr;
  NodeId from = 0;
  NodeId to = 0;
  double latency = 0.0;  // seconds
  unsigned cuts = 0;     // outages that lie on it at this time
  std::deque<Flight> flights = {};
};

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
class World {
 public:
  World(const Machines& machines, const SimSetup& setup, const SimPlatform& platform)
      : machines_(machines),
        platform_(platform),
        processor_(setup.processors, platform.shared_processor),
        acquaintances_(machines.nodes(), setup),
        events_(events_of(setup)),
        nodes_(machines.nodes()),
        start_(s4u::Engine::get_clock()),
        movers_(nodes_.size() + events_.size()) {
    for (NodeId id = 0; id < nodes_.size(); ++id)
      nodes_[id].host = platform.hosts[machines.of(id)];
  }

  ~World() {
    for (auto& [ends, lane] : lanes_)
      ground(lane);
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
    lane.flights.push_back({&lane, std::move(arrival)});
    in_kernel([&] {
      // What has landed in a callback must live until the callback is over. It is, here.
      retired_.clear();
      send_next(lane);
    });
  }

  // Called by SimGrid when a part of a message has come to its end.
  void complete(Flight& flight, const s4u::Activity& part) {
    const auto done = std::ranges::find(flight.parts, &part, &s4u::ActivityPtr::get);
    retire(std::move(*done));
    flight.parts.erase(done);
    if (&part == flight.bytes) {
      flight.bytes = nullptr;
      fly(flight);
      send_next(*flight.lane);
    }
    land_if_done(flight);
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
    const auto [place, is_new] = lanes_.try_emplace({from, to}, Lane{this, from, to});
    Lane& lane = place->second;
    if (is_new) lane.latency = platform_.latency(*nodes_[from].host, *nodes_[to].host);
    return lane;
  }

  // The first that waits for it, unless one is being sent.
  void send_next(Lane& lane) {
    if (lane.cuts > 0) return;
    const auto next = std::ranges::find_if(lane.flights, [](const Flight& flight) {
      return flight.stage == Flight::Stage::kQueued || flight.stage == Flight::Stage::kSending;
    });
    if (next != lane.flights.end() && next->stage == Flight::Stage::kQueued) take_off(*next);
  }

  void take_off(Flight& flight) {
    const Lane& lane = *flight.lane;
    flight.stage = Flight::Stage::kSending;
    const std::size_t bytes = kFrameHeaderSize + flight.arrival.message.payload().size();
    const s4u::CommPtr comm = s4u::Comm::sendto_init(nodes_[lane.from].host, nodes_[lane.to].host);
    comm->set_payload_size(bytes)->set_data(&flight);
    flight.parts.emplace_back(comm);
    flight.bytes = comm.get();
    // Its two ends.
    for (int end = 0; end < 2 && processor_.charges_messages(); ++end) {
      const s4u::ExecPtr work = processor_.message_work(bytes);
      work->set_data(&flight);
      flight.parts.emplace_back(work);
    }
    for (const s4u::ActivityPtr& part : flight.parts)
      part->start();
    ++movers_;
  }

  void fly(Flight& flight) {
    flight.stage = Flight::Stage::kInTheAir;
    const double latency = flight.lane->latency;
    if (latency == 0) return;
    flight.landing = Timer::set(s4u::Engine::get_clock() + latency, [this, &flight] {
      flight.landing = nullptr;
      land_if_done(flight);
    });
  }

  // When the latency is over, and both ends have done their work.
  void land_if_done(Flight& flight) {
    if (flight.landing != nullptr || !flight.parts.empty()) return;
    flight.stage = Flight::Stage::kLanded;
    deliver(*flight.lane);
    settle(1);
  }

  // SimGrid calls back for some activities more than once: from here on for nobody.
  void retire(s4u::ActivityPtr part) {
    part->set_data(nullptr);
    retired_.push_back(std::move(part));
  }

  // Stops all that is under way, and returns how many that were. They can take off again.
  std::size_t ground(Lane& lane) {
    std::size_t count = 0;
    for (Flight& flight : lane.flights) {
      if (flight.stage != Flight::Stage::kSending && flight.stage != Flight::Stage::kInTheAir)
        continue;
      for (s4u::ActivityPtr& part : flight.parts) {
        part->cancel();
        retire(std::move(part));
      }
      flight.parts.clear();
      flight.bytes = nullptr;
      if (flight.landing != nullptr) std::exchange(flight.landing, nullptr)->remove();
      flight.stage = Flight::Stage::kQueued;
      ++count;
    }
    return count;
  }

  void deliver(Lane& lane) {
    while (!lane.flights.empty() && lane.flights.front().stage == Flight::Stage::kLanded) {
      put(lane.to, std::move(lane.flights.front().arrival));
      lane.flights.pop_front();
    }
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
    if (lane == lanes_.end() || (lane->second.flights.empty() && lane->second.cuts == 0)) {
      put(peer, loss);
    } else {
      lane->second.flights.push_back({&lane->second, loss, Flight::Stage::kLanded});
    }
  }

  void cut(Lane& lane) {
    ++lane.cuts;
    movers_ -= ground(lane);
  }

  void heal(Lane& lane) {
    if (--lane.cuts > 0) return;
    send_next(lane);
    deliver(lane);
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
      if (machines_.of(lane.from) != machine && machines_.of(lane.to) != machine) continue;
      stopped += ground(lane);
      // That its sender had ended before is still news.
      const bool tells_of_end =
          !lane.flights.empty() && lane.flights.back().arrival.kind == Arrival::Kind::kPeerLost;
      lane.flights.erase(lane.flights.begin(), lane.flights.end() - (tells_of_end ? 1 : 0));
      if (lane.cuts == 0) deliver(lane);
    }
    for (const NodeId id : victims)
      report_loss(id);
    movers_ -= stopped;
    return victims;
  }

  void happen(const Event& event) {
    std::vector<NodeId> victims;
    in_kernel([&] {
      if (event.kind == Event::Kind::kFail) {
        victims = fail(machines_.of(event.a));
      } else {
        for (Lane* const lane : {&lane_of(event.a, event.b), &lane_of(event.b, event.a)})
          event.kind == Event::Kind::kCut ? cut(*lane) : heal(*lane);
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
  std::vector<Event> events_;
  std::vector<NodeState> nodes_;
  std::map<std::pair<NodeId, NodeId>, Lane> lanes_;
  std::vector<s4u::ActivityPtr> retired_;
  double start_;
  std::size_t movers_;
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
    for (const Event& event : events_) {
      sleep_until(event.at);
      happen(event);
    }
  })->daemonize();
  engine.run();
  if (failure_) std::rethrow_exception(failure_);
  expects(std::ranges::all_of(nodes_, &NodeState::ended), "a simulation ends with its nodes");
}

// SimGrid has one list of callbacks per process, and nothing leaves it: so this is called for the
// messages of all simulations, and knows each by its data.
void call_back_when_landed() {
  [[maybe_unused]] static const bool kOnce = [] {
    s4u::Activity::on_completion_cb([](const s4u::Activity& activity) {
      auto* const flight = activity.get_data<Flight>();
      if (flight != nullptr && activity.get_state() == s4u::Activity::State::FINISHED)
        flight->lane->world->complete(*flight, activity);
    });
    return true;
  }();
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
  call_back_when_landed();
  const s4u::Engine engine("gossamer");
  const auto platform = make_platform(engine, machines, setup);
  if (!platform) return platform.error();
  World world(machines, setup, platform.value());
  world.run(engine, node_main);
  return {};
}

}  // namespace gossamer
