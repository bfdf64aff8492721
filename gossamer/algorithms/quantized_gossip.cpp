// Q1-G and Q2-G: gossip that compresses whole models, as Koloskova, Stich and Jaggi, ICML 2019,
// compare it with Choco-Gossip. For unbiased compressors.
//   Q1-G: x_i += gamma sum_j w_ij (C(x_j) - x_i); loses the mean.
//   Q2-G: x_i += gamma sum_j w_ij (C(x_j) - C(x_i)); keeps the mean, stalls at the noise of C.
// Both sums run over neighbours.
// State: none but the model.
// Per round: one compressed vector, the same bytes for every neighbour.

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/ordered_gossip.hpp"
#include "gossamer/algorithms/parts/warnings.hpp"

namespace gossamer {
namespace {

class QuantizedGossip : public OrderedGossip {
 public:
  explicit QuantizedGossip(const AlgorithmSetup& setup)
      : OrderedGossip(setup, Ordering::kCombineWhileAdapt),
        C_(setup.compressor),
        gamma_(setup.gamma),
        gossip_(setup.compressor->size()) {}

 protected:
  [[nodiscard]] float gamma() const { return gamma_; }

  /// sum_j w_ij C(x_j) over neighbours.
  [[nodiscard]] Vec mixed(Node& node) {
    gossip_.view().setZero();
    for (const Received& r : node.gather())
      node.add(*C_, r.message, r.weight, gossip_.view());
    return gossip_.view();
  }

  [[nodiscard]] const Message& own() const { return q_; }

  [[nodiscard]] const Compressor& C() const { return *C_; }

 private:
  void publish(Node& node) override {
    q_ = node.compress(*C_, node.x());
    node.broadcast(q_);
  }

  std::shared_ptr<const Compressor> C_;
  float gamma_;
  FloatBuffer gossip_;
  Message q_;
};

class Q1 final : public QuantizedGossip {
 public:
  using QuantizedGossip::QuantizedGossip;

 private:
  void combine(Node& node, CVec u) override {
    const Vec gossip = mixed(node);
    move(node, gamma() * (gossip - (1.0f - node.self_weight()) * node.x()), u);
  }
};

class Q2 final : public QuantizedGossip {
 public:
  using QuantizedGossip::QuantizedGossip;

 private:
  void combine(Node& node, CVec u) override {
    const Vec gossip = mixed(node);
    node.add(C(), own(), node.self_weight() - 1.0f, gossip);
    move(node, gamma() * gossip, u);
  }
};

}  // namespace

AlgorithmInfo about_q1() {
  return {.name = "q1",
          .example = "q1",
          .summary = "Quantised gossip Q1-G, for consensus: loses the mean",
          .mean = Mean::kDrifts,
          .gamma = Gamma::kOne,
          .judge = warn_of_forgotten_error};
}

AlgorithmInfo about_q2() {
  return {.name = "q2",
          .example = "q2",
          .summary = "Quantised gossip Q2-G, for consensus: keeps the mean, stalls",
          .gamma = Gamma::kOne,
          .judge = warn_of_forgotten_error};
}

Result<std::unique_ptr<Algorithm>> make_q1(const AlgorithmSetup& setup, Options&) {
  return std::unique_ptr<Algorithm>(std::make_unique<Q1>(setup));
}

Result<std::unique_ptr<Algorithm>> make_q2(const AlgorithmSetup& setup, Options&) {
  return std::unique_ptr<Algorithm>(std::make_unique<Q2>(setup));
}

}  // namespace gossamer
