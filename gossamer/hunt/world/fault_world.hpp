#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "gossamer/hunt/world/fault_links.hpp"
#include "gossamer/hunt/world/virtual_clock.hpp"
#include "gossamer/network/network.hpp"

namespace gossamer {

/// Thrown inside a node that was killed: its process is gone, and nothing is sent any more.
class Killed : public std::exception {};

/// Nodes as processes on machines that fail, on a virtual clock and from one seed: nodes run one at
/// a time, each until it waits, so that the same seed gives the same run. Time passes while nodes
/// wait or compute, and not otherwise.
class FaultWorld {
 public:
  /// What one process does, from its start to its end.
  using Process = std::function<void(Network&)>;

  explicit FaultWorld(const FaultLinksSetup& setup);
  /// Kills all that still run.
  ~FaultWorld();

  FaultWorld(const FaultWorld&) = delete;
  FaultWorld& operator=(const FaultWorld&) = delete;

  [[nodiscard]] VirtualClock& clock() { return clock_; }

  // Faults. They are done between what nodes do: before run(), or by actions of the clock.

  /// In the place of a process that has ended or was killed, if there was one.
  void start(NodeId node, Process process);
  void kill(NodeId node);
  void pause(NodeId node);
  void resume(NodeId node);

  /// Nothing goes from one to the other any more.
  void cut(NodeId from, NodeId to) { links_.cut(from, to); }

  void heal(NodeId from, NodeId to) { links_.heal(from, to); }

  void slow(NodeId from, NodeId to, bool is_slow) { links_.slow(from, to, is_slow); }

  /// Frames that the node itself has not sent.
  void forge(NodeId from, NodeId to, const Arrival& frame) { links_.send(from, to, frame); }

  /// Between what nodes do: run() returns.
  void stop() { is_stopped_ = true; }

  [[nodiscard]] bool is_running(NodeId node) const;
  [[nodiscard]] bool is_paused(NodeId node) const;

  [[nodiscard]] const FaultLinks& links() const { return links_; }

  /// The most that ever waited to be read by one node.
  [[nodiscard]] std::size_t most_unread() const { return most_unread_; }

  /// Who went on without letting time pass, if one did.
  [[nodiscard]] std::optional<NodeId> spinning() const { return spinning_; }

  enum class End : std::uint8_t {
    kAllEnded,
    kTimeIsUp,
    kSpins,  // nodes went on and on: without letting time pass, or telling each other without end
  };

  /// Until nobody runs and nothing is due any more. What a process throws, but for Killed, is
  /// thrown here.
  [[nodiscard]] End run(Time limit);

 private:
  class Runner;
  class Port;

  void put(NodeId to, Arrival arrival);
  void let_run(Runner& runner);

  VirtualClock clock_;
  FaultLinks links_;
  std::vector<std::unique_ptr<Runner>> runners_;  // by node: the newest process of each
  std::vector<std::unique_ptr<Runner>> ended_;
  std::exception_ptr thrown_;
  bool spins_ = false;
  bool is_stopped_ = false;
  std::optional<NodeId> spinning_;
  std::size_t most_unread_ = 0;
};

}  // namespace gossamer
