#include "gossamer/plan/metered_network.hpp"

#include <utility>

namespace gossamer {

MeteredNetwork::MeteredNetwork(Network& inner, CpuClock cpu_clock)
    : inner_(inner), cpu_clock_(cpu_clock), entered_(cpu_clock()) {}

MeteredNetwork::Work MeteredNetwork::take() {
  leave();
  enter();
  return std::exchange(work_, {});
}

Arrival MeteredNetwork::receive(Time deadline) {
  leave();
  Arrival arrival = inner_.receive(deadline);
  enter();
  return arrival;
}

void MeteredNetwork::spend(Duration compute) {
  leave();
  inner_.spend(compute);
  enter();
}

void MeteredNetwork::deliver(NodeId to, FrameKind kind, Round round, const Message& message) {
  leave();
  work_.until_sent += std::exchange(work_.after, {});
  ++work_.messages;
  work_.payload_bytes += message.payload().size();
  if (kind == FrameKind::kAside) {
    inner_.send_aside(to, round, message);
  } else {
    inner_.send(to, round, message);
  }
  enter();
}

// What was done since the network was left belongs to the node.
void MeteredNetwork::leave() {
  work_.after += cpu_clock_() - entered_;
}

}  // namespace gossamer
