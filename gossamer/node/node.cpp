#include "gossamer/node/node.hpp"

#include <utility>

#include <fmt/format.h>

namespace gossamer {

Node::Node(const NodeSetup& setup)
    : network_(setup.network),
      topology_(setup.topology),
      layout_(setup.layout),
      seed_(setup.seed),
      patience_(setup.patience),
      x_(setup.layout.size()),
      waiting_(setup.network.size()),
      lost_(setup.network.size(), false) {
  expects(topology_.size() == network_.size(), "a topology for as many nodes as the network has");
  read_weights();
}

Message Node::compress(const Compressor& compressor, CVec v) {
  const RngKey key{.seed = seed_, .purpose = Purpose::kCompress, .node = id(), .round = round_};
  return pool_.make([&](ByteWriter& out) { compressor.encode(v, key, scratch_, out); });
}

void Node::add(const Compressor& compressor, const Message& message, float a, Vec y) {
  compressor.add(message.payload(), a, scratch_, y);
}

void Node::broadcast(const Message& message) {
  for (const Edge& edge : topology_.listeners(id(), round_))
    send(edge.peer, message);
}

void Node::send(NodeId peer, const Message& message) {
  network_.send(peer, round_, message);
}

std::span<const Received> Node::gather() {
  // What was gathered before goes first: its buffers can then be used again by those who sent them.
  gathered_.clear();
  for (const Neighbour& neighbour : neighbours_) {
    if (waiting_[neighbour.peer].empty()) wait_for(neighbour.peer);
    gathered_.push_back(waiting_[neighbour.peer].pop());
    gathered_.back().weight = neighbour.weight;
  }
  return gathered_;
}

void Node::end_round() {
  ++round_;
  if (topology_.is_time_varying()) read_weights();
}

void Node::read_weights() {
  const Neighborhood row = topology_.at(id(), round_);
  self_weight_ = static_cast<float>(row.self_weight);
  neighbours_.clear();
  for (const Edge& edge : row.neighbours)
    neighbours_.push_back({edge.peer, static_cast<float>(edge.weight)});
}

void Node::wait_for(NodeId peer) {
  const Time begin = network_.now();
  while (waiting_[peer].empty()) {
    if (lost_[peer]) {
      throw NeighbourLost(peer, round_,
                          fmt::format("node {} lost node {} in round {}: it has ended, and its "
                                      "message of this round never came",
                                      id(), peer, round_));
    }
    Arrival arrival = network_.receive(begin + patience_);
    if (arrival.kind == Arrival::Kind::kTimedOut) {
      throw NeighbourLost(peer, round_,
                          fmt::format("node {} waited {:.3f} s for node {} in round {} and gave up",
                                      id(), seconds(network_.now() - begin), peer, round_));
    }
    file(std::move(arrival));
  }
}

void Node::file(Arrival arrival) {
  if (arrival.kind == Arrival::Kind::kPeerLost) {
    lost_[arrival.from] = true;
  } else {
    waiting_[arrival.from].push({arrival.from, 0.0f, std::move(arrival.message)});
  }
}

}  // namespace gossamer
