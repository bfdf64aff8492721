#pragma once

#include <cstddef>
#include <simgrid/s4u.hpp>

#include "gossamer/network/sim/sim.hpp"

namespace gossamer {

/// Cores that all machines of a simulation share. What computes at the same time gets equal parts.
class SharedProcessor {
 public:
  /// Without a host there is none: every machine has enough cores of its own, and computing takes
  /// its time whatever else goes on.
  SharedProcessor(const SimProcessors& model, simgrid::s4u::Host* host)
      : model_(model), host_(host) {}

  [[nodiscard]] bool exists() const { return host_ != nullptr; }

  /// Called by an actor, which goes on when its work is done.
  void compute(Duration work) const;

  [[nodiscard]] bool charges_messages() const {
    return exists() && (model_.per_message > Duration{0} || model_.seconds_per_byte > 0);
  }

  /// What one end of a message has to do; not yet started. SimGrid needs time linear in how many
  /// of these are under way to end one of them, so this is not for thousands of nodes.
  [[nodiscard]] simgrid::s4u::ExecPtr message_work(std::size_t bytes) const;

 private:
  [[nodiscard]] simgrid::s4u::ExecPtr work(double seconds) const;

  SimProcessors model_;
  simgrid::s4u::Host* host_;
};

}  // namespace gossamer
