// Qsparse-local-SGD, asynchronous. Basu, Data, Karakus, Diggavi, NeurIPS 2019, Algorithm 2. Each
// worker meets the coordinator at times of its own; the others train on.
// State of a worker: x, the global model that it received last; the error memory m. Of the
// coordinator: the global model, which is its node.x().
// Per meeting: one compressed vector to the coordinator, one whole model back.
//
// The coordinator takes messages in the order of their rounds, and those of one round in the order
// of the workers: the same bits in every world, and a worker waits for those only that had to meet
// the coordinator before it. With the option `arrival` it serves whoever comes first: nobody waits
// for a slow worker, and where time is real no two runs are alike.

#include <vector>

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/error_memory.hpp"
#include "gossamer/algorithms/parts/float_message.hpp"
#include "gossamer/algorithms/parts/meetings.hpp"
#include "gossamer/algorithms/parts/own_meetings.hpp"
#include "gossamer/algorithms/parts/refusals.hpp"
#include "gossamer/algorithms/parts/warnings.hpp"

namespace gossamer {
namespace {

enum class Times { kOwn, kCommon };
enum class Order { kRounds, kArrival };

/// When one worker meets the coordinator.
class Appointments {
 public:
  Appointments(const Node& node, NodeId worker, const AlgorithmSetup& setup, Times times)
      : times_(times), common_(setup), own_(node.seed(), worker, setup) {}

  [[nodiscard]] bool in(Round round) {
    return times_ == Times::kCommon ? common_.in(round) : own_.in(round);
  }

 private:
  Times times_;
  Meetings common_;
  OwnMeetings own_;
};

class Worker final : public Algorithm {
 public:
  Worker(const AlgorithmSetup& setup, ErrorMemory::Kind memory, Times times)
      : setup_(setup), times_(times), x_(setup.compressor->size()), m_(setup.compressor, memory) {}

  void start(Node& node) override { x_.view() = node.x(); }

  void after_gradient(Node& node, CVec u) override {
    node.x() += u;
    if (!appointments_) appointments_.emplace(node, node.id(), setup_, times_);
    if (!appointments_->in(node.round())) return;
    const NodeId coordinator = node.size();
    node.send(coordinator, m_.compress(node, x_.view() - node.x()));
    read_floats(node, node.receive_from(coordinator).message, x_.view());
    node.x() = x_.view();
  }

  void visit_state(StateVisitor& visitor) override {
    visitor.visit("global", x_.view());
    m_.visit_state(visitor);
  }

 private:
  AlgorithmSetup setup_;
  Times times_;
  std::optional<Appointments> appointments_;
  FloatBuffer x_;
  ErrorMemory m_;
};

class Coordinator final : public Algorithm {
 public:
  Coordinator(const AlgorithmSetup& setup, Times times, Order order)
      : setup_(setup), times_(times), order_(order) {}

  void after_gradient(Node& node, CVec) override {
    const std::vector<NodeId>& visitors = visitors_of_round(node);
    if (order_ == Order::kRounds) {
      for (const NodeId worker : visitors)
        take(node, node.receive_from(worker).message);
      if (visitors.empty()) return;
      const Message x = message_of(node, node.x());
      for (const NodeId worker : visitors)
        node.send(worker, x);
    } else {
      // As many as this round has, whoever they are and whatever round they are in: over the whole
      // run that is everybody.
      for (std::size_t i = 0; i < visitors.size(); ++i) {
        const Received r = node.receive_any();
        take(node, r.message);
        node.send(r.from, message_of(node, node.x()));
      }
    }
  }

 private:
  [[nodiscard]] const std::vector<NodeId>& visitors_of_round(Node& node) {
    for (NodeId worker = static_cast<NodeId>(appointments_.size()); worker < node.size(); ++worker)
      appointments_.emplace_back(node, worker, setup_, times_);
    visitors_.clear();
    for (NodeId worker = 0; worker < node.size(); ++worker) {
      if (appointments_[worker].in(node.round())) visitors_.push_back(worker);
    }
    return visitors_;
  }

  /// x -= C(v) / R, R the number of all workers, not of those who came.
  void take(Node& node, const Message& g) {
    node.add(*setup_.compressor, g, -1.0f / static_cast<float>(node.size()), node.x());
  }

  AlgorithmSetup setup_;
  Times times_;
  Order order_;
  std::vector<Appointments> appointments_;
  std::vector<NodeId> visitors_;
};

Result<void> refuse_arrival(Options& options) {
  if (!options.flag("arrival")) return {};
  return Error{
      "qsparse-async:arrival serves workers as they come, which no checkpoint can repeat: leave "
      "out checkpoint-every, or 'arrival'"};
}

}  // namespace

AlgorithmInfo about_qsparse_async() {
  return {.name = "qsparse-async",
          .example = "qsparse-async",
          .summary =
              "Qsparse-local-SGD, asynchronous: each worker meets the coordinator at its own "
              "times",
          .reach = Reach::kCoordinator,
          .mean = Mean::kDrifts,
          .consensus = Consensus::kNever,
          .judge = warn_of_missing_memory,
          .can_resume = refuse_arrival};
}

Result<std::unique_ptr<Algorithm>> make_qsparse_async(const AlgorithmSetup& setup,
                                                      Options& options) {
  const auto memory =
      options.flag("no-memory") ? ErrorMemory::Kind::kForget : ErrorMemory::Kind::kKeep;
  const Times times = options.flag("common") ? Times::kCommon : Times::kOwn;
  const Order order = options.flag("arrival") ? Order::kArrival : Order::kRounds;
  const Result<void> refusal = expect_ordering("qsparse-async", setup, Ordering::kAdaptThenCombine);
  if (!refusal) return refusal.error();
  if (setup.role == AlgorithmSetup::Role::kCoordinator)
    return std::unique_ptr<Algorithm>(std::make_unique<Coordinator>(setup, times, order));
  return std::unique_ptr<Algorithm>(std::make_unique<Worker>(setup, memory, times));
}

}  // namespace gossamer
