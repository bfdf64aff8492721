// Local SGD: H steps alone, then the mean of all models.
// State: none but the model.
// Per meeting: 2 (n - 1) messages to the next node, together 2 (n - 1) / n of the model.

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/meetings.hpp"
#include "gossamer/algorithms/parts/refusals.hpp"
#include "gossamer/algorithms/parts/ring_allreduce.hpp"

namespace gossamer {
namespace {

class LocalSgd final : public Algorithm {
 public:
  explicit LocalSgd(const AlgorithmSetup& setup) : meetings_(setup), mean_(setup.compressor) {}

  void after_gradient(Node& node, CVec u) override {
    node.x() += u;
    if (meetings_.in(node.round())) mean_(node, node.x());
  }

 private:
  Meetings meetings_;
  RingMean mean_;
};

}  // namespace

AlgorithmInfo about_local_sgd() {
  return {.name = "local-sgd",
          .example = "local-sgd",
          .summary = "Local steps, then the mean of all models by a ring all-reduce",
          .reach = Reach::kRing};
}

Result<std::unique_ptr<Algorithm>> make_local_sgd(const AlgorithmSetup& setup, Options&) {
  const Result<void> refusal =
      first_refusal(expect_identity("local-sgd", setup, "qsparse is made for that one"),
                    expect_ordering("local-sgd", setup, Ordering::kAdaptThenCombine));
  if (!refusal) return refusal.error();
  return std::unique_ptr<Algorithm>(std::make_unique<LocalSgd>(setup));
}

}  // namespace gossamer
