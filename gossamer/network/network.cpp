#include "gossamer/network/network.hpp"

#include "gossamer/base/contract.hpp"

namespace gossamer {

void Network::send(NodeId to, Round round, const Message& message) {
  expects(to < size() && to != self(), "a message goes to another node of the run");
  ++traffic_.frames;
  traffic_.payload_bytes += message.payload().size();
  traffic_.header_bytes += kFrameHeaderSize;
  deliver(to, FrameKind::kMessage, round, message);
}

void Network::send_aside(NodeId to, Round round, const Message& message) {
  expects(to < size() && to != self(), "an aside goes to another node of the run");
  traffic_.aside_bytes += message.payload().size() + kFrameHeaderSize;
  deliver(to, FrameKind::kAside, round, message);
}

void Network::reach(NodeId peer) {
  expects(peer < size() && peer != self(), "a node reaches another node of the run");
}

void Network::part_from(NodeId peer) {
  expects(peer < size() && peer != self(), "a node parts from another node of the run");
}

Arrival arrival_of(FrameKind kind, NodeId from, Round round, const Message& message) {
  const bool is_aside = kind == FrameKind::kAside;
  return {is_aside ? Arrival::Kind::kAside : Arrival::Kind::kMessage, from, round, message};
}

}  // namespace gossamer
