#pragma once

#include <cstddef>
#include <simgrid/s4u.hpp>
#include <vector>

#include "gossamer/network/sim/sim.hpp"

namespace gossamer {

/// Where the nodes of a simulation compute. What computes at the same time shares cores fairly.
class Processors {
 public:
  /// The host whose cores each machine has, by machine.
  Processors(const SimProcessors& model, std::vector<simgrid::s4u::Host*> by_machine)
      : model_(model), by_machine_(std::move(by_machine)) {}

  /// If not, computing takes its time whatever else goes on, to the nanosecond.
  [[nodiscard]] bool are_shared() const { return model_ != SimProcessors{}; }

  /// Called by an actor, which goes on when its work is done.
  void compute(NodeId machine, Duration work) const;

  [[nodiscard]] bool charge_messages() const {
    return model_.per_message > Duration{0} || model_.seconds_per_byte > 0;
  }

  /// What one end of a message has to do; not yet started.
  [[nodiscard]] simgrid::s4u::ExecPtr message_work(NodeId machine, std::size_t bytes) const;

 private:
  [[nodiscard]] simgrid::s4u::ExecPtr work(NodeId machine, double seconds) const;

  SimProcessors model_;
  std::vector<simgrid::s4u::Host*> by_machine_;
};

}  // namespace gossamer
