// Naive compressed D-PSGD: x_i <- sum_j w_ij C(x_j) + u_i, the own model compressed like all
// others. It does not converge to the optimum: compression errors of whole models enter every round
// and nothing takes them back. Here to be measured against. State: none but the model. Per round:
// one compressed vector, the same bytes for every neighbour.

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/ordered_gossip.hpp"
#include "gossamer/algorithms/parts/warnings.hpp"

namespace gossamer {
namespace {

class Naive final : public OrderedGossip {
 public:
  explicit Naive(const AlgorithmSetup& setup)
      : OrderedGossip(setup, Ordering::kCombineWhileAdapt), C_(setup.compressor) {}

 private:
  void publish(Node& node) override {
    q_ = node.compress(*C_, node.x());
    node.broadcast(q_);
  }

  void combine(Node& node, CVec u) override {
    const std::span<const Received> received = node.gather();
    node.x().setZero();
    node.add(*C_, q_, node.self_weight(), node.x());
    for (const Received& r : received)
      node.add(*C_, r.message, r.weight, node.x());
    if (u.size() > 0) node.x() += u;
  }

  std::shared_ptr<const Compressor> C_;
  Message q_;
};

}  // namespace

AlgorithmInfo about_naive() {
  return {.name = "naive",
          .example = "naive",
          .summary = "D-PSGD on compressed models: a baseline that does not converge",
          .mean = Mean::kDrifts,
          .judge = warn_of_forgotten_error};
}

Result<std::unique_ptr<Algorithm>> make_naive(const AlgorithmSetup& setup, Options&) {
  return std::unique_ptr<Algorithm>(std::make_unique<Naive>(setup));
}

}  // namespace gossamer
