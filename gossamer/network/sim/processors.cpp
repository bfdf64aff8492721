#include "gossamer/network/sim/processors.hpp"

namespace gossamer {

namespace s4u = simgrid::s4u;

void Processors::compute(NodeId machine, Duration duration) const {
  work(machine, seconds(duration))->start()->wait();
}

s4u::ExecPtr Processors::message_work(NodeId machine, std::size_t bytes) const {
  return work(machine,
              seconds(model_.per_message) + model_.seconds_per_byte * static_cast<double>(bytes));
}

s4u::ExecPtr Processors::work(NodeId machine, double seconds) const {
  s4u::Host* const host = by_machine_[machine];
  s4u::ExecPtr exec = s4u::Exec::init();
  exec->set_host(host);
  exec->set_flops_amount(seconds * host->get_speed());
  return exec;
}

}  // namespace gossamer
