#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/math/layout.hpp"
#include "gossamer/math/vec.hpp"
#include "gossamer/node/state_visitor.hpp"

namespace gossamer {

/// What a node does with its gradient; the default is plain SGD.
struct OptimizerSetup {
  float momentum = 0;
  bool nesterov = false;
  float weight_decay = 0;
  /// Blocks whose name contains one of these get no decay.
  std::vector<std::string> exempt = {};
  /// The global norm of the gradient is at most this; 0: no clipping.
  float clip = 0;
};

/// `sgd`, `heavy-ball:0.9` or `nesterov:0.9`, each with `weight-decay=1e-4`, `exempt=bn|norm` and
/// `clip=0.4`. Norm layers do not decay unless `exempt` says otherwise; `exempt=none`: all decay.
[[nodiscard]] Result<OptimizerSetup> parse_optimizer(std::string_view spec);

/// Turns a gradient into a node's own move, as PyTorch's SGD does (no dampening):
///
///   d = clipped g + weight_decay x
///   m = momentum m + d
///   u = d + momentum m (Nesterov), or m (heavy ball), or d (no momentum)
///
/// The momentum never leaves the node: it is not sent, averaged or reset.
class Optimizer {
 public:
  Optimizer(const OptimizerSetup& setup, const Layout& layout);

  /// In: the gradient at x. Out, in its place: the move -lr u. A NaN or an infinity in a gradient
  /// stays one. One pass over memory, and one more with clipping; allocates nothing.
  void step(CVec x, float lr, Vec g);

  void visit_state(StateVisitor& visitor);

 private:
  /// Neighbouring blocks that are treated alike.
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool decays = false;
  };

  OptimizerSetup setup_;
  std::vector<Stretch> stretches_;
  FloatBuffer momentum_;  // empty without momentum
  std::size_t size_;
};

}  // namespace gossamer
