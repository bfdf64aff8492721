#include "apps/launch/standings.hpp"

#include <algorithm>

#include "gossamer/events/sentence.hpp"

namespace gossamer::cli {
namespace {

/// What an event says of the peer that tells it, and of others.
struct Note {
  std::vector<Standing>& peers;
  const Event& event;

  [[nodiscard]] Standing& own() const { return peers[event.node]; }

  void is_lost(NodeId peer) const {
    if (peer < peers.size()) peers[peer].lost_to.insert(event.node);
  }

  void is_back(NodeId peer) const {
    if (peer < peers.size()) peers[peer].lost_to.erase(event.node);
  }

  void operator()(const Began& began) const {
    own().began = began;
    own().round = began.from;
  }

  void operator()(const RoundDone& done) const {
    own().round = event.round;
    own().loss = done.loss;
    own().bytes_sent = done.bytes_sent;
  }

  void operator()(const Measured& measured) const {
    own().round = std::max(own().round, measured.measurement.round);
  }

  void operator()(const PeerLost& lost) const { is_lost(lost.peer); }

  void operator()(const EdgeLost& lost) const { is_lost(lost.peer); }

  void operator()(const PeerBack& back) const { is_back(back.peer); }

  void operator()(const EdgeBack& back) const { is_back(back.peer); }

  void operator()(const Failed&) const { own().failure = sentence_of(event); }

  void operator()(const Ended& ended) const {
    own().outcome = ended.outcome;
    own().round = event.round;
  }

  template <typename Other>
  void operator()(const Other&) const {}
};

}  // namespace

Standings::Standings(NodeId peers) : peers_(peers) {
  for (NodeId node = 0; node < peers; ++node)
    running_.insert(node);
  find_active();
}

void Standings::take(const Event& event) {
  std::visit(Note{peers_, event}, event.what);
  find_active();
}

void Standings::end(NodeId node) {
  running_.erase(node);
  for (Standing& peer : peers_)
    peer.lost_to.erase(node);
  find_active();
}

const Standing* Standings::slowest() const {
  const Standing* slowest = nullptr;
  for (const NodeId node : active_) {
    const Standing& peer = peers_[node];
    if (peer.began && (slowest == nullptr || peer.round < slowest->round)) slowest = &peer;
  }
  return slowest;
}

void Standings::find_active() {
  active_.clear();
  for (const NodeId node : running_) {
    if (peers_[node].lost_to.empty()) active_.insert(node);
  }
  if (active_.empty()) active_ = running_;
}

}  // namespace gossamer::cli
