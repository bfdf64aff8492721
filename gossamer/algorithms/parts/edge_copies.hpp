#pragma once

#include <cstdint>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/node/state_visitor.hpp"

namespace gossamer {

/// What an algorithm holds in common with each neighbour: copies of each other's vectors, or
/// factors that both compute. For runs whose edges break and come back, and for audits: what should
/// be equal is compared by digest.
class EdgeCopies {
 public:
  EdgeCopies() = default;
  EdgeCopies(const EdgeCopies&) = delete;
  EdgeCopies& operator=(const EdgeCopies&) = delete;
  virtual ~EdgeCopies() = default;

  /// Of what the neighbour must hold, and
  [[nodiscard]] virtual std::uint64_t own_digest(NodeId peer) = 0;

  /// of what this node holds of the neighbour: equal to its own_digest() for this node.
  [[nodiscard]] virtual std::uint64_t copy_digest(NodeId peer) = 0;

  /// What makes the neighbour's copy whole, whatever it holds; and what that neighbour wrote.
  virtual void write_own(NodeId peer, ByteWriter& out) = 0;

  /// Throws CorruptMessage.
  virtual void read_copy(NodeId peer, ByteReader& in) = 0;

  /// What is equal on all nodes in the same round: a node that joins late takes it over.
  virtual void visit_common(StateVisitor&) {}
};

}  // namespace gossamer
