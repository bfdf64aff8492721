#pragma once

#include "gossamer/algorithms/registry.hpp"

namespace gossamer {

/// An algorithm that can gossip before or after the gradient step: the one place that knows what
/// the two orderings mean.
class OrderedGossip : public Algorithm {
 public:
  explicit OrderedGossip(Ordering ordering) : ordering_(ordering) {}

  void before_gradient(Node& node) final {
    if (ordering_ == Ordering::kCombineWhileAdapt) publish(node);
  }

  void after_gradient(Node& node, CVec u) final {
    if (ordering_ == Ordering::kCombineWhileAdapt) {
      combine(node);
      node.x() += u;
    } else {
      node.x() += u;
      publish(node);
      combine(node);
    }
  }

 private:
  /// Sends what this round's gossip needs of node.x().
  virtual void publish(Node& node) = 0;

  /// Receives the same of the neighbours, and moves node.x() towards them.
  virtual void combine(Node& node) = 0;

  Ordering ordering_;
};

}  // namespace gossamer
