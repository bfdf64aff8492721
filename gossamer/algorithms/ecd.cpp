// ECD-PSGD. Tang, Gan, Zhang, Zhang, Liu, NeurIPS 2018, Algorithm 2.
// State: s = sum_j w_ij x~_j over self and neighbours, where x~ is the estimate that all hold of a
// model; with the option `replicas` each x~_j by itself, so that neighbours may be lost and come
// back. The round number t = 1, 2, ... is the node's. Needs a constant W.
// Per round: one compressed vector, the same bytes for every neighbour.

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/refusals.hpp"
#include "gossamer/algorithms/parts/replicas.hpp"

namespace gossamer {
namespace {

/// What both forms share: the node publishes an extrapolation of its model.
class Ecd : public Algorithm {
 public:
  explicit Ecd(const AlgorithmSetup& setup)
      : C_(setup.compressor), start_(setup.start), z_(setup.compressor->size()) {}

  void after_gradient(Node& node, CVec u) final {
    const auto t = static_cast<float>(node.round() + 1);
    const CVec s = mixed(node);
    // z = (1 - t/2) x + (t/2) x_new, with x_new = s + u
    z_.view() = (1.0f - 0.5f * t) * node.x() + (0.5f * t) * (s + u);
    const Message q = node.compress(*C_, z_.view());
    node.broadcast(q);
    node.x() = s + u;
    // Every coordinate shrinks, also those that a sparse message leaves out.
    receive(node, q, 1.0f - 2.0f / t, 2.0f / t);
  }

 protected:
  std::shared_ptr<const Compressor> C_;
  AlgorithmSetup::Start start_;

 private:
  /// sum_j w_ij x~_j.
  [[nodiscard]] virtual CVec mixed(const Node& node) = 0;

  /// x~_j = keep x~_j + a C(z_j), for this node and its neighbours.
  virtual void receive(Node& node, const Message& own, float keep, float a) = 0;

  FloatBuffer z_;
};

class EcdSum final : public Ecd {
 public:
  explicit EcdSum(const AlgorithmSetup& setup) : Ecd(setup), s_(setup.compressor->size()) {}

  void start(Node& node) override { mix_first_models(node, start_, s_.view()); }

  void visit_state(StateVisitor& visitor) override { visitor.visit("s", s_.view()); }

  [[nodiscard]] Result<void> can_lose_neighbours() const override {
    return cannot_forget_neighbours("ecd", "take ecd:replicas", s_.size());
  }

 private:
  [[nodiscard]] CVec mixed(const Node&) override { return s_.view(); }

  void receive(Node& node, const Message& own, float keep, float a) override {
    s_.view() *= keep;
    node.add(*C_, own, a * node.self_weight(), s_.view());
    for (const Received& r : node.gather())
      node.add(*C_, r.message, a * r.weight, s_.view());
  }

  FloatBuffer s_;
};

class EcdReplicas final : public Ecd {
 public:
  explicit EcdReplicas(const AlgorithmSetup& setup)
      : Ecd(setup), estimate_(setup.compressor->size()), s_(setup.compressor->size()) {}

  void start(Node& node) override {
    estimate_.view() = node.x();
    replicas_.reset(node, start_);
  }

  void visit_state(StateVisitor& visitor) override {
    visitor.visit("estimate", estimate_.view());
    replicas_.visit_state(visitor);
  }

  void start_late(Node& node) override { estimate_.view() = node.x(); }

  void welcome(Node& node) override { replicas_.follow(node); }

  [[nodiscard]] EdgeCopies* copies() override { return &copies_; }

 private:
  [[nodiscard]] CVec mixed(const Node& node) override {
    replicas_.mix(node, estimate_.view(), 1.0f, estimate_.view(), CVec(nullptr, 0), s_.view());
    return s_.view();
  }

  void receive(Node& node, const Message& own, float keep, float a) override {
    estimate_.view() *= keep;
    node.add(*C_, own, a, estimate_.view());
    replicas_.receive(node, *C_, keep, a);
  }

  FloatBuffer estimate_;
  FloatBuffer s_;
  Replicas replicas_;
  ReplicaCopies copies_{replicas_, estimate_.view()};
};

Warnings judge_ecd(const Combination& combination) {
  if (!combination.is_lossy()) return {};
  const Compressor& compressor = combination.compressor;
  if (!compressor.quality().unbiased) {
    return {
        fmt::format("ecd is proved for unbiased compressors, and '{}' is biased: expect divergence",
                    compressor.spec())};
  }
  constexpr double kEnoughBits = 16.0;
  const auto d = static_cast<double>(std::max<std::size_t>(compressor.size(), 1));
  const double bits = 8.0 * static_cast<double>(compressor.encoded_size(RngKey{})) / d;
  if (bits >= kEnoughBits) return {};
  return {fmt::format(
      "ecd compresses extrapolations that grow with the round number, and with it the error of any "
      "operator that is relative to what it compresses: '{}' sends {:.3g} bits per number, and "
      "below 16 it is known to fail",
      compressor.spec(), bits)};
}

}  // namespace

AlgorithmInfo about_ecd() {
  return {.name = "ecd",
          .example = "ecd",
          .summary = "ECD-PSGD: compressed extrapolations; unbiased, 16 bits or more",
          .mean = Mean::kDrifts,
          .symmetry = Symmetry::kInTheory,
          .needs_constant_graph = true,
          .judge = judge_ecd};
}

Result<std::unique_ptr<Algorithm>> make_ecd(const AlgorithmSetup& setup, Options& options) {
  const bool replicas = options.flag("replicas");
  const Result<void> refusal =
      first_refusal(expect_ordering("ecd", setup, Ordering::kCombineWhileAdapt),
                    expect_no_local_steps("ecd", setup, "choco and qsparse have"));
  if (!refusal) return refusal.error();
  if (replicas) return std::unique_ptr<Algorithm>(std::make_unique<EcdReplicas>(setup));
  return std::unique_ptr<Algorithm>(std::make_unique<EcdSum>(setup));
}

}  // namespace gossamer
