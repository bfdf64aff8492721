// Choco-SGD. Koloskova, Lin, Stich, Jaggi, ICLR 2020, Algorithm 1 (combine while adapt, the
// default); adapt then combine is the form of Koloskova, Stich, Jaggi, ICML 2019, Algorithm 2.
// With u = 0 it is Choco-Gossip.
// State: x_hat, this node's public copy; s = sum_j w_ij x_hat_j over self and neighbours, which
// needs a constant W.
// Per round: one compressed vector, the same bytes for every neighbour.

#include "gossamer/algorithms/ordered_gossip.hpp"

namespace gossamer {
namespace {

class Choco final : public OrderedGossip {
 public:
  explicit Choco(const AlgorithmSetup& setup)
      : OrderedGossip(setup.ordering.value_or(Ordering::kCombineWhileAdapt)),
        C_(setup.compressor),
        gamma_(setup.gamma),
        x_hat_(setup.compressor->size()),
        s_(setup.compressor->size()),
        difference_(setup.compressor->size()) {}

  void visit_state(StateVisitor& visitor) override {
    visitor.visit("x_hat", x_hat_.view());
    visitor.visit("s", s_.view());
  }

 private:
  void publish(Node& node) override {
    difference_.view() = node.x() - x_hat_.view();
    q_ = node.compress(*C_, difference_.view());
    node.broadcast(q_);
  }

  void combine(Node& node) override {
    node.add(*C_, q_, 1.0f, x_hat_.view());
    node.add(*C_, q_, node.self_weight(), s_.view());
    for (const Received& r : node.gather())
      node.add(*C_, r.message, r.weight, s_.view());
    // x_i += gamma sum_j w_ij (x_hat_j - x_hat_i)
    node.x() += gamma_ * (s_.view() - x_hat_.view());
  }

  std::shared_ptr<const Compressor> C_;
  float gamma_;
  FloatBuffer x_hat_;
  FloatBuffer s_;
  FloatBuffer difference_;
  Message q_;
};

}  // namespace

Result<std::unique_ptr<Algorithm>> make_choco(const AlgorithmSetup& setup) {
  return std::unique_ptr<Algorithm>(std::make_unique<Choco>(setup));
}

}  // namespace gossamer
