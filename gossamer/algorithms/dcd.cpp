// DCD-PSGD. Tang, Gan, Zhang, Zhang, Liu, NeurIPS 2018, Algorithm 1.
// State: a copy of each neighbour's model; exact, because models move by what was sent alone and
// all know the first ones. Needs a constant W. Per round: one compressed vector, the same bytes for
// every neighbour.

#include <fmt/format.h>

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/refusals.hpp"
#include "gossamer/algorithms/parts/replicas.hpp"
#include "gossamer/algorithms/parts/warnings.hpp"

namespace gossamer {
namespace {

class Dcd final : public Algorithm {
 public:
  explicit Dcd(const AlgorithmSetup& setup)
      : C_(setup.compressor), start_(setup.start), z_(setup.compressor->size()) {}

  void start(Node& node) override {
    replicas_.reset(node, start_);
    copies_.emplace(replicas_, node.x());
  }

  void welcome(Node& node) override { replicas_.follow(node); }

  [[nodiscard]] EdgeCopies* copies() override { return &*copies_; }

  void after_gradient(Node& node, CVec u) override {
    // z_i = sum_j w_ij x_j + u_i - x_i, the sum over self and neighbours
    replicas_.mix(node, node.x(), 1.0f, u, CVec(nullptr, 0), z_.view());
    const Message q = node.compress(*C_, z_.view());
    node.broadcast(q);
    node.add(*C_, q, 1.0f, node.x());
    replicas_.receive(node, *C_);
  }

  void visit_state(StateVisitor& visitor) override { replicas_.visit_state(visitor); }

 private:
  std::shared_ptr<const Compressor> C_;
  AlgorithmSetup::Start start_;
  Replicas replicas_;
  std::optional<ReplicaCopies> copies_;
  FloatBuffer z_;
};

Warnings judge_dcd(const Combination& combination) {
  if (!combination.is_lossy()) return {};
  const std::string C = combination.compressor.spec();
  const Quality quality = combination.compressor.quality();
  if (!quality.unbiased) {
    return {
        fmt::format("dcd is proved for unbiased compressors, and '{}' is biased: the run may stall "
                    "far from the optimum; choco is made for biased ones",
                    C)};
  }
  // Without gradients a ring of 8 is stable up to omega = 1.2 and explodes from 1.5 on. What an
  // operator promises is a worst case, for minmax far from what it does: a bound alone would speak
  // against operators that work.
  constexpr double kStable = 1.2;
  const double noise =
      quality.omega > kStable ? measured_noise(combination.compressor, combination.seed) : 0.0;
  if (noise > kStable) {
    return {fmt::format(
        "dcd diverges when the compressor is too noisy: '{}' has a relative variance of {:.3g}, "
        "and about {} is the most that works; take more bits, or choco",
        C, noise, kStable)};
  }
  return {};
}

}  // namespace

AlgorithmInfo about_dcd() {
  return {.name = "dcd",
          .example = "dcd",
          .summary = "DCD-PSGD: compressed changes of models; unbiased compressors",
          .mean = Mean::kDrifts,
          .symmetry = Symmetry::kInTheory,
          .needs_constant_graph = true,
          .judge = judge_dcd};
}

Result<std::unique_ptr<Algorithm>> make_dcd(const AlgorithmSetup& setup, Options&) {
  const Result<void> refusal =
      first_refusal(expect_ordering("dcd", setup, Ordering::kCombineWhileAdapt),
                    expect_no_local_steps("dcd", setup, "choco and qsparse have"));
  if (!refusal) return refusal.error();
  return std::unique_ptr<Algorithm>(std::make_unique<Dcd>(setup));
}

}  // namespace gossamer
