// D-PSGD. Lian, Zhang, Zhang, Hsieh, Zhang, Liu, NeurIPS 2017. Without gradients it is exact
// gossip, under the name of `exact`. State: none but the model. Per round: the whole model to every
// neighbour, whatever compressor is named.

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/ordered_gossip.hpp"
#include "gossamer/algorithms/parts/refusals.hpp"
#include "gossamer/algorithms/parts/warnings.hpp"

namespace gossamer {
namespace {

class Dpsgd final : public OrderedGossip {
 public:
  explicit Dpsgd(const AlgorithmSetup& setup)
      : OrderedGossip(setup, Ordering::kCombineWhileAdapt),
        whole_(setup.compressor),
        gamma_(setup.gamma),
        mixed_(setup.compressor->size()) {}

 private:
  void publish(Node& node) override { node.broadcast(node.compress(*whole_, node.x())); }

  void combine(Node& node, CVec u) override {
    // x_i += gamma sum_j w_ij (x_j - x_i), the sum over neighbours
    mixed_.view().setZero();
    for (const Received& r : node.gather())
      node.add(*whole_, r.message, r.weight, mixed_.view());
    move(node, gamma_ * (mixed_.view() - (1.0f - node.self_weight()) * node.x()), u);
  }

  std::shared_ptr<const Compressor> whole_;
  float gamma_;
  FloatBuffer mixed_;
};

Result<std::unique_ptr<Algorithm>> make(std::string_view name, const AlgorithmSetup& setup) {
  if (const auto refusal = expect_identity(name, setup, "choco is made for that one"); !refusal)
    return refusal.error();
  return std::unique_ptr<Algorithm>(std::make_unique<Dpsgd>(setup));
}

}  // namespace

AlgorithmInfo about_dpsgd() {
  return {.name = "dpsgd",
          .example = "dpsgd",
          .summary = "D-PSGD: whole models to all neighbours, no compression",
          .gamma = Gamma::kSpectral,
          .judge = warn_of_large_gamma};
}

AlgorithmInfo about_exact() {
  AlgorithmInfo info = about_dpsgd();
  info.name = info.example = "exact";
  info.summary = "Exact gossip, for consensus: the same as dpsgd";
  return info;
}

Result<std::unique_ptr<Algorithm>> make_dpsgd(const AlgorithmSetup& setup, Options&) {
  return make("dpsgd", setup);
}

Result<std::unique_ptr<Algorithm>> make_exact(const AlgorithmSetup& setup, Options&) {
  return make("exact", setup);
}

}  // namespace gossamer
