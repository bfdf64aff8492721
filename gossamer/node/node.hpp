#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
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
#include "gossamer/node/aside.hpp"
#include "gossamer/node/membership.hpp"
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

  /// How to go on without neighbours that are lost; nothing: their loss is thrown.
  struct GoOn {
    /// For the other end of a broken edge to say what it had sent.
    Duration grace;
    /// Told of each edge that this node loses or regains.
    std::function<void(const std::string&)> note;
  };

  std::optional<GoOn> on_loss = std::nullopt;
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

  // Beside the algorithm, for what runs tell each other.

  void send_aside(NodeId peer, const Message& aside);

  /// The next aside that is not about lost edges, if one comes before the deadline; in the past: a
  /// poll. Throws RunEnded if the run is to end.
  [[nodiscard]] std::optional<Aside> next_aside(Time deadline);

  /// Sees each aside when it arrives, also in the midst of a round, and may take it: next_aside()
  /// does not get it then.
  void listen(std::function<bool(const Aside&)> listener) { listener_ = std::move(listener); }

  /// Tells all neighbours that the run ends, and why; they tell theirs.
  void say_farewell(const std::string& sentence);

  [[nodiscard]] Time now() const { return network_.now(); }

  /// From now on, as NodeSetup::on_loss.
  void go_on_without_lost(const NodeSetup::GoOn& how);

  /// Nothing where a lost neighbour ends the run.
  [[nodiscard]] Membership* membership() { return membership_.get(); }

  /// An edge has come back, or all have yet to: reads the row again.
  void read_weights();

  /// Whether the network has reported this peer as lost, and not as back since.
  [[nodiscard]] bool is_lost(NodeId peer) const { return lost_[peer]; }

  /// Throws NeighbourLost if it is, and nothing goes on without it.
  void expect_present(NodeId peer) const;

  /// What this node has sent so far, as the network counts it.
  [[nodiscard]] const Traffic& sent() const { return network_.traffic(); }

  [[nodiscard]] Scratch& scratch() { return scratch_; }

  /// Where its time goes. The node itself marks what it encodes, decodes and waits for.
  [[nodiscard]] Timeline& timeline() { return timeline_; }

  [[nodiscard]] const Timeline& timeline() const { return timeline_; }

  /// On to the next round, with its weights.
  void end_round();

  /// Goes on from a checkpoint: before anything was sent.
  void begin_at(Round round);

 private:
  [[nodiscard]] RngKey compression_key() const;
  void collect(NodeId peer, float weight);
  void wait_for(NodeId peer);
  [[nodiscard]] bool wait_unless_over(NodeId peer);
  [[nodiscard]] double waited() const;
  void file(Arrival arrival);
  void file_aside(Arrival arrival);

  Network& network_;
  const Topology& topology_;
  const Layout& layout_;
  std::uint64_t seed_;
  Duration patience_;

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
  std::vector<std::string> reasons_;
  RingQueue<Aside> asides_;
  std::function<bool(const Aside&)> listener_ = [](const Aside&) { return false; };
  std::unique_ptr<Membership> membership_;
  std::vector<Received> gathered_;
};

}  // namespace gossamer
