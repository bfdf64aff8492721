// DCD-PSGD. Tang, Gan, Zhang, Zhang, Liu, NeurIPS 2018, Algorithm 1.
// State: a copy of each neighbour's model; exact, because models move by what was sent alone and
// all know the first ones. Needs a constant W. Per round: one compressed vector, the same bytes for
// every neighbour.

#include "gossamer/algorithms/parts/refusals.hpp"
#include "gossamer/algorithms/parts/replicas.hpp"

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

}  // namespace

Result<std::unique_ptr<Algorithm>> make_dcd(const AlgorithmSetup& setup, Options&) {
  const Result<void> refusal = first_refusal(
      expect_ordering("dcd", setup, Ordering::kCombineWhileAdapt), expect_no_gamma("dcd", setup),
      expect_no_local_steps("dcd", setup, "choco and qsparse have"));
  if (!refusal) return refusal.error();
  return std::unique_ptr<Algorithm>(std::make_unique<Dcd>(setup));
}

}  // namespace gossamer
