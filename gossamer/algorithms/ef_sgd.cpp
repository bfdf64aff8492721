// Error-feedback SGD: p = lr direction + e; everybody gets C(p), x moves by the mean of all C(p),
// and e = p - C(p) is sent later. State: e; the model is equal on all nodes. Per round: one
// compressed vector, the same bytes for every other node.

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/error_memory.hpp"
#include "gossamer/algorithms/parts/everyones_mean.hpp"
#include "gossamer/algorithms/parts/refusals.hpp"

namespace gossamer {
namespace {

class EfSgd final : public Algorithm {
 public:
  explicit EfSgd(const AlgorithmSetup& setup)
      : C_(setup.compressor), e_(setup.compressor, ErrorMemory::Kind::kKeep) {}

  void after_gradient(Node& node, CVec u) override {
    const Message q = e_.compress(node, -u);
    node.send_to_all(q);
    subtract_mean(node, *C_, q, node.x());
  }

  void visit_state(StateVisitor& visitor) override { e_.visit_state(visitor); }

 private:
  std::shared_ptr<const Compressor> C_;
  ErrorMemory e_;
};

}  // namespace

AlgorithmInfo about_ef_sgd() {
  return {.name = "ef-sgd",
          .example = "ef-sgd",
          .summary =
              "Error-feedback SGD: everybody's compressed gradient to everybody, with error "
              "memory",
          .reach = Reach::kEveryone,
          .mean = Mean::kDrifts,
          .consensus = Consensus::kNever};
}

Result<std::unique_ptr<Algorithm>> make_ef_sgd(const AlgorithmSetup& setup, Options&) {
  const Result<void> refusal =
      first_refusal(expect_ordering("ef-sgd", setup, Ordering::kAdaptThenCombine),
                    expect_no_local_steps("ef-sgd", setup, "qsparse has"));
  if (!refusal) return refusal.error();
  return std::unique_ptr<Algorithm>(std::make_unique<EfSgd>(setup));
}

}  // namespace gossamer
