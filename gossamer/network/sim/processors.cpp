#include "gossamer/network/sim/processors.hpp"

namespace gossamer {

namespace s4u = simgrid::s4u;

void SharedProcessor::compute(Duration duration) const {
  work(seconds(duration))->start()->wait();
}

s4u::ExecPtr SharedProcessor::message_work(std::size_t bytes) const {
  return work(seconds(model_.per_message) + model_.seconds_per_byte * static_cast<double>(bytes));
}

s4u::ExecPtr SharedProcessor::work(double seconds) const {
  s4u::ExecPtr exec = s4u::Exec::init();
  exec->set_host(host_);
  exec->set_flops_amount(seconds * host_->get_speed());
  return exec;
}

}  // namespace gossamer
