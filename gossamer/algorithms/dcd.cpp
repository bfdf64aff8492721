// DCD-PSGD. Tang, Gan, Zhang, Zhang, Liu, NeurIPS 2018, Algorithm 1.
// State: s = sum_j w_ij x_j over self and neighbours; valid because models move by what was sent
// alone, and all start equal. Needs a constant W.
// Per round: one compressed vector, the same bytes for every neighbour.

#include "gossamer/algorithms/replica_algorithms.hpp"

namespace gossamer {
namespace {

class Dcd final : public Algorithm {
 public:
  explicit Dcd(const AlgorithmSetup& setup)
      : C_(setup.compressor), s_(setup.compressor->size()), z_(setup.compressor->size()) {}

  // All models are equal, and the weights of a row sum to one.
  void start(Node& node) override { s_.view() = node.x(); }

  void after_gradient(Node& node, CVec u) override {
    z_.view() = s_.view() + u - node.x();
    const Message q = node.compress(*C_, z_.view());
    node.broadcast(q);
    node.add(*C_, q, 1.0f, node.x());
    node.add(*C_, q, node.self_weight(), s_.view());
    for (const Received& r : node.gather())
      node.add(*C_, r.message, r.weight, s_.view());
  }

  void visit_state(StateVisitor& visitor) override { visitor.visit("s", s_.view()); }

 private:
  std::shared_ptr<const Compressor> C_;
  FloatBuffer s_;
  FloatBuffer z_;
};

}  // namespace

Result<std::unique_ptr<Algorithm>> make_dcd(const AlgorithmSetup& setup) {
  if (const Result<void> plain = expect_plain_setup("dcd", setup); !plain) return plain.error();
  return std::unique_ptr<Algorithm>(std::make_unique<Dcd>(setup));
}

}  // namespace gossamer
