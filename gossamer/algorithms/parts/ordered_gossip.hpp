#pragma once

#include "gossamer/algorithms/parts/meetings.hpp"

namespace gossamer {

/// An algorithm that can gossip before or after the gradient step, in every round or after some
/// local steps: the one place that knows what the two orderings mean.
class OrderedGossip : public Algorithm {
 public:
  OrderedGossip(const AlgorithmSetup& setup, Ordering papers_own)
      : ordering_(setup.ordering.value_or(papers_own)), meetings_(setup) {}

  void before_gradient(Node& node) final {
    if (ordering_ == Ordering::kCombineWhileAdapt && meetings_.in(node.round())) publish(node);
  }

  void after_gradient(Node& node, CVec u) final {
    if (!meetings_.in(node.round())) {
      node.x() += u;
    } else if (ordering_ == Ordering::kCombineWhileAdapt) {
      combine(node, u);
    } else {
      node.x() += u;
      publish(node);
      combine(node, CVec(nullptr, 0));
    }
  }

 protected:
  /// x += gossip + u in one pass over memory.
  template <typename Gossip>
  static void move(Node& node, const Gossip& gossip, CVec u) {
    if (u.size() == 0) {
      node.x() += gossip;
    } else {
      node.x() += gossip + u;
    }
  }

 private:
  /// Sends what this round's gossip needs of node.x().
  virtual void publish(Node& node) = 0;

  /// Receives the same of the neighbours, and moves node.x() towards them and by u. An empty u has
  /// moved it already.
  virtual void combine(Node& node, CVec u) = 0;

  Ordering ordering_;
  Meetings meetings_;
};

}  // namespace gossamer
