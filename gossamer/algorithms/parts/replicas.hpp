#pragma once

#include <vector>

#include "gossamer/algorithms/parts/edge_copies.hpp"
#include "gossamer/algorithms/registry.hpp"
#include "gossamer/math/kernels/mix.hpp"

namespace gossamer {

/// What a node knows of its neighbours' models: for each a copy that moves by what was received
/// alone, so that it has the same bits as the neighbour's own. Costs as many vectors as there are
/// neighbours. Follows the graph when a neighbour is lost or comes back.
///
/// The sum of all copies would be one vector instead of many. But it forgets a rounding error in
/// every round, and gossip adds the sum of these to the model in every round: after t rounds the
/// mean of all models is off by about t^1.5 * 1e-7, where differences of exact copies leave it as
/// it is.
class Replicas {
 public:
  /// Once, before the first round. Copies of zeros.
  void reset(Node& node);

  /// The same, with copies of the neighbours' models. Where all models are equal nothing is sent;
  /// else each node sends its own once, whole.
  void reset(Node& node, AlgorithmSetup::Start start);

  /// Forgets the neighbours that are gone, and has zeros for new ones.
  void follow(const Node& node);

  /// Moves the copies by what the neighbours sent in this round: copy = keep copy + a C(v).
  void receive(Node& node, const Compressor& compressor, float keep = 1.0f, float a = 1.0f);

  /// out = base + gamma sum_j w_ij (copy_j - own) + u over neighbours; an empty u counts as none.
  void mix(const Node& node, CVec own, float gamma, CVec base, CVec u, Vec out);

  void visit_state(StateVisitor& visitor);

  [[nodiscard]] Vec copy_of(NodeId peer);

 private:
  std::vector<NodeId> peers_;
  std::vector<FloatBuffer> copies_;
  std::vector<WeightedVector> weighted_;  // room for mix()
};

/// Replicas, and the vector of this node that its neighbours have replicas of.
class ReplicaCopies final : public EdgeCopies {
 public:
  /// Both must outlive it.
  ReplicaCopies(Replicas& replicas, CVec own) : replicas_(replicas), own_(own) {}

  [[nodiscard]] std::uint64_t own_digest(NodeId) override;
  [[nodiscard]] std::uint64_t copy_digest(NodeId peer) override;
  void write_own(NodeId, ByteWriter& out) override;
  void read_copy(NodeId peer, ByteReader& in) override;

 private:
  Replicas& replicas_;
  CVec own_;
};

/// s = sum_j w_ij x_j over self and neighbours, for the first models. Where these are equal, which
/// the weights of a row then average to themselves, nothing is sent; else each node sends its own
/// once, whole.
void mix_first_models(Node& node, AlgorithmSetup::Start start, Vec s);

}  // namespace gossamer
