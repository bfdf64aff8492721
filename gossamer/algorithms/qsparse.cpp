// Qsparse-local-SGD, synchronous. Basu, Data, Karakus, Diggavi, NeurIPS 2019, Algorithm 1. The
// average that the paper's master forms, every node forms itself from everybody's messages: exact,
// and nobody sends a whole model.
// State: x, the model of the last meeting, equal on all nodes; the error memory m.
// Per meeting: one compressed vector, the same bytes for every other node. Nothing in between.

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/error_memory.hpp"
#include "gossamer/algorithms/parts/everyones_mean.hpp"
#include "gossamer/algorithms/parts/meetings.hpp"
#include "gossamer/algorithms/parts/refusals.hpp"
#include "gossamer/algorithms/parts/warnings.hpp"

namespace gossamer {
namespace {

class Qsparse final : public Algorithm {
 public:
  Qsparse(const AlgorithmSetup& setup, ErrorMemory::Kind memory)
      : C_(setup.compressor),
        meetings_(setup),
        x_(setup.compressor->size()),
        m_(setup.compressor, memory) {}

  void start(Node& node) override { x_.view() = node.x(); }

  // The node's own model is x_hat.
  void after_gradient(Node& node, CVec u) override {
    node.x() += u;
    if (!meetings_.in(node.round())) return;
    // v = m + x - x_hat: progress since the last meeting, and what was not sent before.
    const Message g = m_.compress(node, x_.view() - node.x());
    node.send_to_all(g);
    subtract_mean(node, *C_, g, x_.view());
    node.x() = x_.view();
  }

  void visit_state(StateVisitor& visitor) override {
    visitor.visit("global", x_.view());
    m_.visit_state(visitor);
  }

 private:
  std::shared_ptr<const Compressor> C_;
  Meetings meetings_;
  FloatBuffer x_;
  ErrorMemory m_;
};

}  // namespace

AlgorithmInfo about_qsparse() {
  return {.name = "qsparse",
          .example = "qsparse",
          .summary =
              "Qsparse-local-SGD: local steps, compressed progress with error memory, all "
              "average",
          .reach = Reach::kEveryone,
          .mean = Mean::kDrifts,
          .consensus = Consensus::kNever,
          .judge = warn_of_missing_memory};
}

Result<std::unique_ptr<Algorithm>> make_qsparse(const AlgorithmSetup& setup, Options& options) {
  const auto memory =
      options.flag("no-memory") ? ErrorMemory::Kind::kForget : ErrorMemory::Kind::kKeep;
  const Result<void> refusal = expect_ordering("qsparse", setup, Ordering::kAdaptThenCombine);
  if (!refusal) return refusal.error();
  return std::unique_ptr<Algorithm>(std::make_unique<Qsparse>(setup, memory));
}

}  // namespace gossamer
