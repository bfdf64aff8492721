#pragma once

#include <cstddef>
#include <deque>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>
#include <vector>

#include "gossamer/base/message.hpp"
#include "gossamer/network/network.hpp"
#include "gossamer/network/sim/processors.hpp"

namespace gossamer {

/// Whom lanes report to: the simulation.
class Tower {
 public:
  Tower() = default;
  Tower(const Tower&) = delete;
  Tower& operator=(const Tower&) = delete;
  virtual ~Tower() = default;

  [[nodiscard]] virtual const SharedProcessor& processor() const = 0;

  /// One more message is under way.
  virtual void took_off() = 0;
  /// It no longer is.
  virtual void landed() = 0;
  /// Those of a lane arrive in the order in which they were sent.
  virtual void arrived(NodeId to, Arrival arrival) = 0;

  /// What has ended in a callback of SimGrid's must live until the callback is over.
  virtual void keep_for_now(simgrid::s4u::ActivityPtr ended) = 0;
};

/// All that goes from one node to another, in the order of sending: a connection, on which one
/// message is sent behind the other. Its bytes are a SimGrid communication, its latency is a timer
/// behind them. Stays where it is; all but is_idle() is called in kernel mode.
class Lane {
 public:
  struct Way {
    NodeId from = 0;
    NodeId to = 0;
    simgrid::s4u::Host* from_host = nullptr;
    simgrid::s4u::Host* to_host = nullptr;
    double latency = 0.0;  // seconds
  };

  Lane(Tower& tower, const Way& way) : tower_(tower), way_(way) {}

  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Nothing that is under way arrives any more.
  ~Lane() { ground(); }

  /// Before a simulation begins. Again does nothing.
  static void listen_to_simgrid();

  void post(Arrival message);

  /// News of the sender itself, which travel without time, but not past its messages.
  void post_news(Arrival news);

  /// Whether what is posted next has nothing before it.
  [[nodiscard]] bool is_idle() const { return flights_.empty() && cuts_ == 0; }

  // Outages: as many cuts, so many heals. What was under way is sent anew.

  /// Returns how many were under way.
  std::size_t cut();
  void heal();

  /// One of its ends is gone, and all messages with it; but not the news. Returns how many were
  /// under way.
  std::size_t lose_messages();

 private:
  /// A message between its post() and its place in an inbox.
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
    std::vector<simgrid::s4u::ActivityPtr> parts = {};
    const simgrid::s4u::Activity* bytes = nullptr;     // one of these
    simgrid::kernel::timer::Timer* landing = nullptr;  // at the end of the latency
  };

  void send_next();
  void take_off(Flight& flight);
  void complete(Flight& flight, const simgrid::s4u::Activity& part);
  void fly(Flight& flight);
  void land_if_done(Flight& flight);
  void deliver();
  std::size_t ground();
  void retire(simgrid::s4u::ActivityPtr part);

  Tower& tower_;
  Way way_;
  unsigned cuts_ = 0;  // outages that lie on it at this time
  std::deque<Flight> flights_;
};

}  // namespace gossamer
