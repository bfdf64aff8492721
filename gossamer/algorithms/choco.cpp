// Choco-SGD. Koloskova, Lin, Stich, Jaggi, ICLR 2020, Algorithm 1 (combine while adapt, the
// default); adapt then combine is the form of Koloskova, Stich, Jaggi, ICML 2019, Algorithm 2.
// With u = 0 it is Choco-Gossip.
// State: x_hat, this node's public copy, and a copy of each neighbour's; with the option `sum`
// s = sum_j w_ij x_hat_j over self and neighbours instead, one vector whatever their number. Both
// need a constant W.
// Per round: one compressed vector, the same bytes for every neighbour.

#include <fmt/format.h>

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/ordered_gossip.hpp"
#include "gossamer/algorithms/parts/refusals.hpp"
#include "gossamer/algorithms/parts/replicas.hpp"

namespace gossamer {
namespace {

/// What both forms share: the node publishes how far it is from its public copy.
class Choco : public OrderedGossip {
 public:
  explicit Choco(const AlgorithmSetup& setup)
      : OrderedGossip(setup, Ordering::kCombineWhileAdapt),
        C_(setup.compressor),
        gamma_(setup.gamma),
        x_hat_(setup.compressor->size()) {}

  // What is public must not differ from the model by all of it: neighbours would follow.
  void start_late(Node& node) override { x_hat_.view() = node.x(); }

  void visit_state(StateVisitor& visitor) override { visitor.visit("x_hat", x_hat_.view()); }

 protected:
  std::shared_ptr<const Compressor> C_;
  float gamma_;
  FloatBuffer x_hat_;
  Message q_;

 private:
  void publish(Node& node) final {
    q_ = node.compress_difference(*C_, node.x(), x_hat_.view());
    node.broadcast(q_);
  }
};

class ChocoReplicas final : public Choco {
 public:
  using Choco::Choco;

  void start(Node& node) override { replicas_.reset(node); }

  void welcome(Node& node) override { replicas_.follow(node); }

  [[nodiscard]] EdgeCopies* copies() override { return &copies_; }

  void visit_state(StateVisitor& visitor) override {
    Choco::visit_state(visitor);
    replicas_.visit_state(visitor);
  }

 private:
  void combine(Node& node, CVec u) override {
    node.add(*C_, q_, 1.0f, x_hat_.view());
    replicas_.receive(node, *C_);
    // x_i += gamma sum_j w_ij (x_hat_j - x_hat_i) + u_i
    replicas_.mix(node, x_hat_.view(), gamma_, node.x(), u, node.x());
  }

  Replicas replicas_;
  ReplicaCopies copies_{replicas_, x_hat_.view()};
};

class ChocoSum final : public Choco {
 public:
  explicit ChocoSum(const AlgorithmSetup& setup) : Choco(setup), s_(setup.compressor->size()) {}

  void visit_state(StateVisitor& visitor) override {
    Choco::visit_state(visitor);
    visitor.visit("s", s_.view());
  }

  [[nodiscard]] Result<void> can_lose_neighbours() const override {
    return cannot_forget_neighbours("choco:sum", "leave out 'sum'", s_.size());
  }

 private:
  void combine(Node& node, CVec u) override {
    node.add(*C_, q_, 1.0f, x_hat_.view());
    node.add(*C_, q_, node.self_weight(), s_.view());
    for (const Received& r : node.gather())
      node.add(*C_, r.message, r.weight, s_.view());
    move(node, gamma_ * (s_.view() - x_hat_.view()), u);
  }

  FloatBuffer s_;
};

Warnings judge_choco(const Combination& combination) {
  const std::string C = combination.compressor.spec();
  const double delta = combination.compressor.quality().delta;
  // What sign promises for any vector says nothing of those that occur.
  if (delta <= 0.0 || C.find("sign") != std::string::npos) return {};
  // For top-k 5 times delta is known to work, 6 times stalls and 8 times diverges.
  constexpr double kTooLarge = 5.5;
  if (combination.gamma <= kTooLarge * delta) return {};
  return {fmt::format(
      "choco needs gamma not far above the quality of its compressor: {:.3g} is more than {} times "
      "the delta = {:.3g} that '{}' promises, and may diverge; gamma = \"auto\" finds a step",
      combination.gamma, kTooLarge, delta, C)};
}

}  // namespace

AlgorithmInfo about_choco() {
  return {.name = "choco",
          .example = "choco",
          .summary = "Choco-SGD: gossip on compressed differences; any compressor, a step gamma",
          .gamma = Gamma::kTuned,
          .has_proved_gamma = true,
          .symmetry = Symmetry::kInTheory,
          .needs_constant_graph = true,
          .judge = judge_choco};
}

Result<std::unique_ptr<Algorithm>> make_choco(const AlgorithmSetup& setup, Options& options) {
  if (options.flag("sum")) return std::unique_ptr<Algorithm>(std::make_unique<ChocoSum>(setup));
  return std::unique_ptr<Algorithm>(std::make_unique<ChocoReplicas>(setup));
}

}  // namespace gossamer
