#include "gossamer/node/node.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace gossamer {

Node::Node(const NodeSetup& setup)
    : network_(setup.network),
      topology_(setup.topology),
      layout_(setup.layout),
      seed_(setup.seed),
      patience_(setup.patience),
      side_(setup.side),
      timeline_(setup.network),
      x_(setup.layout.size()),
      waiting_(setup.network.size()),
      lost_(setup.network.size(), false),
      ended_(setup.network.size(), false),
      reasons_(setup.network.size()) {
  expects(topology_.size() <= network_.size(), "a network of at least as many nodes as the graph");
  read_weights();
}

Message Node::compress(const Compressor& compressor, CVec v) {
  return write([&](ByteWriter& out) { compressor.encode(v, compression_key(), scratch_, out); });
}

Message Node::compress_difference(const Compressor& compressor, CVec v, CVec w) {
  return write([&](ByteWriter& out) {
    compressor.encode_difference(v, w, compression_key(), scratch_, out);
  });
}

RngKey Node::compression_key() const {
  return {.seed = seed_, .purpose = Purpose::kCompress, .node = id(), .round = round_};
}

void Node::add(const Compressor& compressor, const Message& message, float a, Vec y) {
  const PhaseScope decode(timeline_, Phase::kDecode);
  compressor.add(message.payload(), a, scratch_, y);
}

void Node::broadcast(const Message& message) {
  for (const Edge& edge : topology_.listeners(id(), round_)) {
    send(edge.peer, message);
  }
}

void Node::send(NodeId peer, const Message& message) {
  if (Edges* const edges = this->edges()) {
    if (!edges->is_live(peer)) return;
    edges->note_sent(peer, message);
  }
  const ThreadLeft left(timeline_);
  network_.send(peer, round_, message);
}

std::span<const Received> Node::gather() {
  // What was gathered before goes first: its buffers can then be used again by those who sent them.
  gathered_.clear();
  const PhaseScope back(timeline_, timeline_.phase());
  Edges* const edges = this->edges();
  // By number: an edge that ends here is taken out of the row.
  for (std::size_t k = 0; k < neighbours_.size();) {
    const Neighbour neighbour = neighbours_[k];
    if (edges != nullptr && !wait_unless_over(*edges, neighbour.peer)) {
      edges->leave(neighbour.peer, round_);
      forget_messages(neighbour.peer);
      read_weights();
    } else {
      collect(neighbour.peer, neighbour.weight);
      ++k;
    }
  }
  return gathered_;
}

void Node::send_to_all(const Message& message) {
  for (NodeId peer = 0; peer < size(); ++peer) {
    if (peer != id()) send(peer, message);
  }
}

std::span<const Received> Node::gather_all() {
  gathered_.clear();
  const PhaseScope back(timeline_, timeline_.phase());
  for (NodeId peer = 0; peer < size(); ++peer) {
    if (peer != id()) collect(peer, 1.0f / static_cast<float>(size()));
  }
  return gathered_;
}

Received Node::receive_from(NodeId peer) {
  const PhaseScope back(timeline_, timeline_.phase());
  wait_for(peer);
  return waiting_[peer].pop();
}

Received Node::receive_any() {
  const auto filed = [this] {
    return std::ranges::find_if(waiting_, [](const auto& queue) { return !queue.empty(); });
  };
  if (filed() == waiting_.end()) {
    const PhaseScope wait(timeline_, Phase::kWait);
    while (filed() == waiting_.end()) {
      Arrival arrival = network_.receive(timeline_.since() + patience_);
      if (arrival.kind == Arrival::Kind::kTimedOut) {
        throw NeighbourLost(
            id(), round_, NeighbourLost::Reason::kLate,
            fmt::format("node {} waited {:.3f} s for anybody and gave up", id(), waited()));
      }
      file(std::move(arrival));
    }
  }
  return filed()->pop();
}

void Node::end_round() {
  ++round_;
  timeline_.next_round(round_);
  if (topology_.is_time_varying()) read_weights();
}

void Node::begin_at(Round round) {
  round_ = round;
  timeline_.begin_at(round);
  read_weights();
}

void Node::read_weights() {
  if (id() >= size()) return;  // a coordinator is no part of the graph
  const Neighborhood row = topology_.at(id(), round_);
  neighbours_.clear();
  // The own weight is what the others, once rounded, leave of 1. Rounded by itself, the row would
  // sum to 1 + 3e-8, and the mean of all models would grow by that factor in every round.
  double self = 1.0;
  const Edges* const edges = this->edges();
  for (const Edge& edge : row.neighbours) {
    if (edges != nullptr && !edges->has(edge.peer)) continue;
    neighbours_.push_back({edge.peer, static_cast<float>(edge.weight)});
    self -= double{neighbours_.back().weight};
  }
  self_weight_ = static_cast<float>(self);
}

void Node::collect(NodeId peer, float weight) {
  wait_for(peer);
  if (Edges* const edges = this->edges()) edges->note_taken(peer);
  gathered_.push_back(waiting_[peer].pop());
  gathered_.back().weight = weight;
}

// If it has to wait, it leaves the timeline there: waiting for several is one wait, with one
// patience. The caller goes back.
void Node::wait_for(NodeId peer) {
  if (!waiting_[peer].empty()) return;
  timeline_.enter(Phase::kWait);
  while (waiting_[peer].empty()) {
    expect_present(peer);
    Arrival arrival = network_.receive(timeline_.since() + patience_);
    if (arrival.kind == Arrival::Kind::kTimedOut) {
      throw NeighbourLost(peer, round_, NeighbourLost::Reason::kLate,
                          fmt::format("node {} waited {:.3f} s for node {} in round {} and gave up",
                                      id(), waited(), peer, round_));
    }
    note_wait(peer, arrival);
    file(std::move(arrival));
  }
}

void Node::expect_present(NodeId peer) const {
  if ((!lost_[peer] && !ended_[peer]) || edges() != nullptr) return;
  throw NeighbourLost(
      peer, round_, NeighbourLost::Reason::kEnded,
      fmt::format("node {} lost node {} in round {}: {}, and its message of this round never came; "
                  "that was {:.3f} s after node {} had begun",
                  id(), peer, round_, reasons_[peer].empty() ? "it has ended" : reasons_[peer],
                  seconds(network_.now().time_since_epoch()), id()));
}

// Waits for a message of this neighbour. Not if the edge ends before this exchange, which both ends
// may have to settle first.
bool Node::wait_unless_over(Edges& edges, NodeId peer) {
  for (;;) {
    const Edges::Next next = edges.next(peer);
    if (next != Edges::Next::kWait) return next == Edges::Next::kTake;
    if (lost_[peer] && edges.is_live(peer)) {
      edges.lose(peer, round_, "it has ended");
      continue;
    }
    timeline_.enter(Phase::kWait);
    // The end of a broken edge waits until it is settled, however long that takes.
    const bool is_late =
        edges.is_live(peer) && network_.now() >= edges.patient_since(timeline_.since()) + patience_;
    if (is_late) {
      edges.lose(peer, round_, fmt::format("it sent nothing for {:.3f} s", waited()));
      continue;
    }
    const Time deadline =
        edges.is_live(peer) ? edges.patient_since(timeline_.since()) + patience_ : Time::max();
    (void)take_in_or_tick(deadline, peer);
  }
}

// False: the deadline has passed. A wait may end early, for what is due beneath.
bool Node::take_in_or_tick(Time deadline, std::optional<NodeId> awaited) {
  const Time due = side_ == nullptr ? Time::max() : side_->due();
  Arrival arrival = network_.receive(std::min(deadline, due));
  if (arrival.kind != Arrival::Kind::kTimedOut) {
    if (awaited) note_wait(*awaited, arrival);
    file(std::move(arrival));
    return true;
  }
  if (due >= deadline) return false;
  side_->tick();
  return true;
}

bool Node::take_in(Time deadline) {
  return take_in_or_tick(deadline);
}

void Node::take_in(NodeId from, const Message& message) {
  waiting_[from].push({from, 0.0f, message});
}

void Node::note_end_of(NodeId peer) {
  ended_[peer] = true;
}

// Seconds since the running wait began.
double Node::waited() const {
  return seconds(network_.now() - timeline_.since());
}

// While it waits for `peer` it misses the messages of those behind it as well. Those before it have
// been gathered: another message of theirs is for later.
void Node::note_wait(NodeId peer, const Arrival& arrival) {
  if (waits_.empty() || arrival.kind != Arrival::Kind::kMessage) return;
  if (arrival.from >= peer && waiting_[arrival.from].empty())
    waits_[arrival.from] += network_.now() - timeline_.since();
}

void Node::file(Arrival arrival) {
  switch (arrival.kind) {
    case Arrival::Kind::kMessage:
      // An edge that was given up takes no more: its end was told to the other side.
      if (Edges* const edges = this->edges();
          edges != nullptr && !edges->note_arrived(arrival.from))
        return;
      waiting_[arrival.from].push({arrival.from, 0.0f, std::move(arrival.message)});
      return;
    case Arrival::Kind::kPeerLost:
      lost_[arrival.from] = true;
      reasons_[arrival.from] = arrival.reason;
      break;
    case Arrival::Kind::kPeerBack:
      lost_[arrival.from] = false;
      break;
    case Arrival::Kind::kAside:
      break;
    case Arrival::Kind::kTimedOut:
      return;
  }
  if (side_ != nullptr) side_->hear(std::move(arrival));
}

}  // namespace gossamer
