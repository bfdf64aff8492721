// DeepSqueeze. Tang, Lian, Qiu, Yuan, Zhang, Zhang, Liu, 2019.
// State: e, the error that compression has not sent yet. Nothing of the neighbours, so the graph
// may change. It compresses whole models: at a fixed gamma it does not reach exact consensus. Per
// round: one compressed vector, the same bytes for every neighbour.

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/ordered_gossip.hpp"

namespace gossamer {
namespace {

class DeepSqueeze final : public OrderedGossip {
 public:
  explicit DeepSqueeze(const AlgorithmSetup& setup)
      : OrderedGossip(setup, Ordering::kAdaptThenCombine),
        C_(setup.compressor),
        gamma_(setup.gamma),
        e_(setup.compressor->size()),
        gossip_(setup.compressor->size()) {}

  void visit_state(StateVisitor& visitor) override { visitor.visit("e", e_.view()); }

 private:
  // v = x + e is sent, and what compression loses of it stays in e.
  void publish(Node& node) override {
    e_.view() += node.x();
    q_ = node.compress(*C_, e_.view());
    node.broadcast(q_);
    node.add(*C_, q_, -1.0f, e_.view());
  }

  void combine(Node& node, CVec u) override {
    // x_i += gamma (sum_j w_ij C(v_j) - (1 - w_ii) C(v_i)), the sum over neighbours
    gossip_.view().setZero();
    for (const Received& r : node.gather())
      node.add(*C_, r.message, r.weight, gossip_.view());
    node.add(*C_, q_, node.self_weight() - 1.0f, gossip_.view());
    move(node, gamma_ * gossip_.view(), u);
  }

  std::shared_ptr<const Compressor> C_;
  float gamma_;
  FloatBuffer e_;
  FloatBuffer gossip_;
  Message q_;
};

}  // namespace

AlgorithmInfo about_deepsqueeze() {
  return {.name = "deepsqueeze",
          .example = "deepsqueeze",
          .summary =
              "DeepSqueeze: error-compensated compression of whole models; no replicas, a "
              "small gamma",
          .gamma = Gamma::kTuned,
          .symmetry = Symmetry::kInTheory};
}

Result<std::unique_ptr<Algorithm>> make_deepsqueeze(const AlgorithmSetup& setup, Options&) {
  return std::unique_ptr<Algorithm>(std::make_unique<DeepSqueeze>(setup));
}

}  // namespace gossamer
