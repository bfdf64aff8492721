#pragma once

#include <optional>

#include "gossamer/base/rng.hpp"
#include "gossamer/events/measurement.hpp"
#include "gossamer/math/layout.hpp"
#include "gossamer/math/vec.hpp"
#include "gossamer/node/state_visitor.hpp"

namespace gossamer {

/// What one node wants small: a loss over a flat vector, known by its gradients. No tensors, no
/// framework. Belongs to one thread; two objectives may share what neither writes.
///
/// Laws, which tests/learn holds every objective to:
///  - gradient() is a function of (x, batch) and of what visit_state() shows, and of nothing else.
///  - It is the derivative of the loss that it returns.
class Objective {
 public:
  Objective() = default;
  Objective(const Objective&) = delete;
  Objective& operator=(const Objective&) = delete;
  virtual ~Objective() = default;

  /// Named blocks of the flat model.
  [[nodiscard]] virtual const Layout& layout() const = 0;

  /// The first model: the same for all nodes that ask with one key.
  virtual void initialize(const RngKey& key, Vec x) const = 0;

  /// g = the gradient at x of the loss over the samples that `batch` draws. Returns that loss.
  virtual double gradient(CVec x, const RngKey& batch, Vec g) = 0;

  /// Numbers that belong to this node's model and have no gradient, such as the running means of
  /// norm layers. They stay with the node: algorithms do not see them.
  [[nodiscard]] virtual CVec statistics() const { return {nullptr, 0}; }

  /// What a model with these statistics is worth; nothing for a task without test samples.
  [[nodiscard]] virtual std::optional<Evaluation> evaluate(CVec /*x*/, CVec /*statistics*/) {
    return std::nullopt;
  }

  /// All that survives a gradient.
  virtual void visit_state(StateVisitor&) {}
};

}  // namespace gossamer
