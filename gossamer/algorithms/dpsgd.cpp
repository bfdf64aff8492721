// D-PSGD. Lian, Zhang, Zhang, Hsieh, Zhang, Liu, NeurIPS 2017.
// State: none but the model.
// Per round: the whole model to every neighbour, whatever compressor is named.

#include "gossamer/algorithms/ordered_gossip.hpp"

namespace gossamer {
namespace {

class Dpsgd final : public OrderedGossip {
 public:
  explicit Dpsgd(const AlgorithmSetup& setup)
      : OrderedGossip(setup.ordering.value_or(Ordering::kCombineWhileAdapt)),
        whole_(setup.compressor),
        gamma_(setup.gamma),
        mixed_(setup.compressor->size()) {}

 private:
  void publish(Node& node) override { node.broadcast(node.compress(*whole_, node.x())); }

  void combine(Node& node) override {
    // x_i += gamma sum_j w_ij (x_j - x_i), the sum over neighbours
    mixed_.view().setZero();
    for (const Received& r : node.gather())
      node.add(*whole_, r.message, r.weight, mixed_.view());
    node.x() += gamma_ * (mixed_.view() - (1.0f - node.self_weight()) * node.x());
  }

  std::shared_ptr<const Compressor> whole_;
  float gamma_;
  FloatBuffer mixed_;
};

}  // namespace

Result<std::unique_ptr<Algorithm>> make_dpsgd(const AlgorithmSetup& setup) {
  if (setup.compressor->spec() != "identity") {
    return Error{"dpsgd sends whole models: its compressor is 'identity', not '" +
                 setup.compressor->spec() + "'; choco is made for that one"};
  }
  return std::unique_ptr<Algorithm>(std::make_unique<Dpsgd>(setup));
}

}  // namespace gossamer
