#pragma once

#include "gossamer/algorithms/parts/edge_copies.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/math/vec.hpp"
#include "gossamer/node/node.hpp"
#include "gossamer/node/state_visitor.hpp"

namespace gossamer {

/// What one node does in a round. The loop belongs to the caller: before_gradient(), the gradient
/// at node.x(), share_gradient(), the local optimizer, after_gradient(), node.end_round(). A
/// coordinator's loop is the same without gradients.
///
/// Laws, which tests/algorithms holds every registered algorithm to:
///  - With the identity as compressor it is D-PSGD of the same ordering, to rounding.
///  - Gossip alone keeps the mean of all models, to rounding, where the registry says so.
///  - Own messages are decoded like everybody else's: the exact value is never used.
///  - All that survives a round is shown to visit_state().
class Algorithm {
 public:
  Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;
  virtual ~Algorithm() = default;

  /// Once, when node.x() holds the first model, which all nodes share.
  virtual void start(Node&) {}

  /// Sends what depends on the model alone: it travels while the gradient is computed.
  virtual void before_gradient(Node&) {}

  /// Changes the gradient before the local optimizer sees it; most leave it as it is.
  virtual void share_gradient(Node&, Vec) {}

  /// u is the local optimizer's move, -lr * direction.
  virtual void after_gradient(Node& node, CVec u) = 0;

  virtual void visit_state(StateVisitor&) {}

  /// Refused by an algorithm whose state cannot tell its neighbours apart, or that needs them all.
  /// The others notice in the next exchange who is missing from node.neighbours().
  [[nodiscard]] virtual Result<void> can_lose_neighbours() const { return {}; }

  /// Of a node that joins a run empty-handed: node.x() is a neighbour's model, and state begins
  /// from it.
  virtual void start_late(Node&) {}

  /// node.neighbours() has one more, whose copies are then exchanged.
  virtual void welcome(Node&) {}

  /// Nothing where neighbours hold nothing of each other.
  [[nodiscard]] virtual EdgeCopies* copies() { return nullptr; }
};

}  // namespace gossamer
