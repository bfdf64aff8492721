// ECD-PSGD. Tang, Gan, Zhang, Zhang, Liu, NeurIPS 2018, Algorithm 2.
// State: s = sum_j w_ij x~_j over self and neighbours, where x~ is the estimate that all hold of a
// model; the round number t = 1, 2, ... is the node's. Needs a constant W.
// Per round: one compressed vector, the same bytes for every neighbour.

#include "gossamer/algorithms/refusals.hpp"
#include "gossamer/algorithms/replicas.hpp"

namespace gossamer {
namespace {

class Ecd final : public Algorithm {
 public:
  explicit Ecd(const AlgorithmSetup& setup)
      : C_(setup.compressor),
        start_(setup.start),
        s_(setup.compressor->size()),
        z_(setup.compressor->size()) {}

  void start(Node& node) override { mix_first_models(node, start_, s_.view()); }

  void after_gradient(Node& node, CVec u) override {
    const auto t = static_cast<float>(node.round() + 1);
    // z = (1 - t/2) x + (t/2) x_new, with x_new = s + u
    z_.view() = (1.0f - 0.5f * t) * node.x() + (0.5f * t) * (s_.view() + u);
    const Message q = node.compress(*C_, z_.view());
    node.broadcast(q);
    node.x() = s_.view() + u;
    // Every coordinate shrinks, also those that a sparse message leaves out.
    s_.view() *= 1.0f - 2.0f / t;
    node.add(*C_, q, 2.0f / t * node.self_weight(), s_.view());
    for (const Received& r : node.gather())
      node.add(*C_, r.message, 2.0f / t * r.weight, s_.view());
  }

  void visit_state(StateVisitor& visitor) override { visitor.visit("s", s_.view()); }

 private:
  std::shared_ptr<const Compressor> C_;
  AlgorithmSetup::Start start_;
  FloatBuffer s_;
  FloatBuffer z_;
};

}  // namespace

Result<std::unique_ptr<Algorithm>> make_ecd(const AlgorithmSetup& setup, Options&) {
  const Result<void> refusal = first_refusal(
      expect_ordering("ecd", setup, Ordering::kCombineWhileAdapt), expect_no_gamma("ecd", setup),
      expect_no_local_steps("ecd", setup, "choco and qsparse have"));
  if (!refusal) return refusal.error();
  return std::unique_ptr<Algorithm>(std::make_unique<Ecd>(setup));
}

}  // namespace gossamer
