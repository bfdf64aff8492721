// Centralised SGD by all-reduce: every node takes the same step along the mean of all gradients, as
// one machine with all the data would. What the decentralised algorithms are measured against.
// With an unbiased quantiser as compressor the mean is one of quantised gradients.
// State: none but the model, which is equal on all nodes.
// Per round: 2 (n - 1) messages to the next node, together 2 (n - 1) / n of a compressed model.

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/refusals.hpp"
#include "gossamer/algorithms/parts/ring_allreduce.hpp"

namespace gossamer {
namespace {

class AllReduce final : public Algorithm {
 public:
  explicit AllReduce(const AlgorithmSetup& setup) : mean_(setup.compressor) {}

  // Before the local optimizer: momentum and clipping then see the mean, on all nodes alike.
  void share_gradient(Node& node, Vec g) override { mean_(node, g); }

  void after_gradient(Node& node, CVec u) override { node.x() += u; }

 private:
  RingMean mean_;
};

}  // namespace

AlgorithmInfo about_allreduce() {
  return {.name = "allreduce",
          .example = "allreduce",
          .summary =
              "The mean of all gradients by a ring all-reduce: what the others are measured "
              "against",
          .reach = Reach::kRing,
          .consensus = Consensus::kNever};
}

Result<std::unique_ptr<Algorithm>> make_allreduce(const AlgorithmSetup& setup, Options&) {
  const Result<void> refusal =
      first_refusal(expect_sums_survive("allreduce", *setup.compressor),
                    expect_ordering("allreduce", setup, Ordering::kAdaptThenCombine),
                    expect_no_local_steps("allreduce", setup, "local-sgd has"));
  if (!refusal) return refusal.error();
  return std::unique_ptr<Algorithm>(std::make_unique<AllReduce>(setup));
}

}  // namespace gossamer
