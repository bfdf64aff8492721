#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/message_pool.hpp"
#include "gossamer/base/ring_queue.hpp"
#include "gossamer/base/time.hpp"
#include "gossamer/compress/compressor.hpp"
#include "gossamer/math/layout.hpp"
#include "gossamer/math/scratch.hpp"
#include "gossamer/math/vec.hpp"
#include "gossamer/network/network.hpp"
#include "gossamer/node/run_side.hpp"
#include "gossamer/node/timeline.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {

/// A neighbour is gone, or did not answer in time, in the middle of a round. The sentence says who
/// missed whom, in which round, and after how long. The run decides what to do.
class NeighbourLost : public std::runtime_error {
 public:
  enum class Reason { kEnded, kLate };

  NeighbourLost(NodeId neighbour_id, Round lost_round, Reason why, const std::string& sentence)
      : std::runtime_error(sentence), neighbour(neighbour_id), round(lost_round), reason(why) {}

  NodeId neighbour;
  Round round;
  Reason reason;
};

/// One neighbour as this node sees it.
struct Neighbour {
  NodeId peer;
  /// W_t[self][peer], rounded once. Weights of a row sum to 1 together with self_weight(); the mean
  /// of all models is kept only then.
  float weight;
};

/// What one neighbour sent.
struct Received {
  NodeId from = 0;
  float weight = 0.0f;
  Message message;
};

/// What a node is made of. The references must outlive it.
struct NodeSetup {
  Network& network;
  const Topology& topology;
  const Layout& layout;
  std::uint64_t seed = 0;
  /// How long to wait, for one neighbour or in one gather(), before giving up.
  Duration patience = std::chrono::minutes(5);
  /// What the run does beneath the node. Nothing: asides are for nobody, and a neighbour that is
  /// lost is thrown.
  RunSide* side = nullptr;
};

/// All that an algorithm may see or do: its place in the graph, its model, and its neighbours.
/// Belongs to one thread.
class Node {
 public:
  explicit Node(const NodeSetup& setup);

  [[nodiscard]] NodeId id() const { return network_.self(); }

  /// How many nodes train. A coordinator comes after them: its id is size().
  [[nodiscard]] NodeId size() const { return topology_.size(); }

  [[nodiscard]] Round round() const { return round_; }

  /// The run's seed, for random numbers that nodes share.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

  [[nodiscard]] const Layout& layout() const { return layout_; }

  /// The model, updated in place.
  [[nodiscard]] Vec x() { return x_.view(); }

  [[nodiscard]] float self_weight() const { return self_weight_; }

  /// Whom this node hears in this round, sorted by peer.
  [[nodiscard]] std::span<const Neighbour> neighbours() const { return neighbours_; }

  /// C(v) as a message, with this node's random numbers of this round.
  [[nodiscard]] Message compress(const Compressor& compressor, CVec v);

  /// C(v - w).
  [[nodiscard]] Message compress_difference(const Compressor& compressor, CVec v, CVec w);

  /// A message of whatever `fill(ByteWriter&)` writes.
  template <typename Fill>
  [[nodiscard]] Message write(const Fill& fill) {
    const PhaseScope encode(timeline_, Phase::kEncode);
    return pool_.make(fill);
  }

  /// y += a * C(v), from the bytes of C(v).
  void add(const Compressor& compressor, const Message& message, float a, Vec y);

  /// To all who hear this node in this round. Never waits, never copies.
  void broadcast(const Message& message);
  void send(NodeId peer, const Message& message);

  /// One message from each neighbour, sorted by peer: float addition is not associative, and the
  /// order of arrival differs between worlds. Valid until the next gather().
  ///
  /// Where a node goes on without lost neighbours, these are missing, and neighbours() and
  /// self_weight() are those of a graph without them when it returns: ask for these after it. Else
  /// it throws NeighbourLost.
  [[nodiscard]] std::span<const Received> gather();

  // Beyond the graph, for algorithms that need everybody: averages over all, coordinators.

  /// To every other node that trains.
  void send_to_all(const Message& message);

  /// One message from every other node that trains, sorted by peer, each of weight 1/size(). As
  /// gather() otherwise.
  [[nodiscard]] std::span<const Received> gather_all();

  /// The next message from this peer. As gather() otherwise.
  [[nodiscard]] Received receive_from(NodeId peer);

  /// The next message from anyone, in order of arrival: differs from run to run where time is real.
  [[nodiscard]] Received receive_any();

  /// What this node has sent so far, as the network counts it.
  [[nodiscard]] const Traffic& sent() const { return network_.traffic(); }

  [[nodiscard]] Scratch& scratch() { return scratch_; }

  /// Where its time goes. The node itself marks what it encodes, decodes and waits for.
  [[nodiscard]] Timeline& timeline() { return timeline_; }

  [[nodiscard]] const Timeline& timeline() const { return timeline_; }

  // For whoever owns the loop.

  /// On to the next round, with its weights.
  void end_round();

  /// Goes on from a checkpoint: before anything was sent.
  void begin_at(Round round);

  // For the run beneath.

  /// Files what arrives next. False: nothing came before the deadline; in the past: a poll. Does
  /// what is due beneath meanwhile.
  bool take_in(Time deadline);

  /// A message that arrived by another way.
  void take_in(NodeId from, const Message& message);

  /// What has come from this peer and was not taken is of an edge that is gone.
  void forget_messages(NodeId peer) { waiting_[peer] = {}; }

  /// All messages of this peer have come, by its own word: whoever waits for another has lost it.
  void note_end_of(NodeId peer);

  /// Edges have gone or come back: reads the row again.
  void read_weights();

  /// From now on it is counted how long the message of each peer is awaited.
  void count_waits() { waits_.assign(network_.size(), Duration{}); }

  /// How long that was for this one so far, perhaps with others at the same time.
  [[nodiscard]] Duration waited_for(NodeId peer) const { return waits_[peer]; }

  /// Whether the network has reported this peer as lost, and not as back since.
  [[nodiscard]] bool is_lost(NodeId peer) const { return lost_[peer]; }

  /// Why, as half a sentence; empty: it has ended.
  [[nodiscard]] const std::string& reason_of_loss(NodeId peer) const { return reasons_[peer]; }

  /// Throws NeighbourLost if it is lost, and nothing goes on without it.
  void expect_present(NodeId peer) const;

 private:
  [[nodiscard]] RngKey compression_key() const;
  void collect(NodeId peer, float weight);
  void wait_for(NodeId peer);
  [[nodiscard]] bool wait_unless_over(Edges& edges, NodeId peer);
  [[nodiscard]] bool take_in_or_tick(Time deadline, std::optional<NodeId> awaited = std::nullopt);
  [[nodiscard]] double waited() const;
  void note_wait(NodeId peer, const Arrival& arrival);
  void file(Arrival arrival);

  [[nodiscard]] Edges* edges() const { return side_ == nullptr ? nullptr : side_->edges(); }

  Network& network_;
  const Topology& topology_;
  const Layout& layout_;
  std::uint64_t seed_;
  Duration patience_;
  RunSide* side_;

  Round round_ = 0;
  Timeline timeline_;
  FloatBuffer x_;
  float self_weight_ = 1.0f;
  std::vector<Neighbour> neighbours_;
  MessagePool pool_;
  Scratch scratch_;

  // By peer: a fast neighbour may be rounds ahead.
  std::vector<RingQueue<Received>> waiting_;
  std::vector<bool> lost_;
  std::vector<bool> ended_;
  std::vector<std::string> reasons_;
  std::vector<Received> gathered_;
  std::vector<Duration> waits_;  // by peer; empty: nobody asks
};

}  // namespace gossamer
