#include "gossamer/experiment/advice.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "gossamer/base/rng.hpp"
#include "gossamer/base/text/options.hpp"
#include "gossamer/experiment/checkpoint_interval.hpp"
#include "gossamer/math/scratch.hpp"
#include "gossamer/topology/spectrum.hpp"

namespace gossamer {
namespace {

bool has_flag(const Experiment& experiment, std::string_view flag) {
  return split_spec(experiment.config.algorithm).options.flag(flag);
}

/// Judges one experiment; each function is one rule.
class Judge {
 public:
  explicit Judge(const Experiment& experiment)
      : experiment_(experiment),
        name_(experiment.algorithm.name),
        C_(experiment.compressor->spec()),
        quality_(experiment.compressor->quality()) {}

  std::vector<std::string> warnings() {
    judge_dcd();
    judge_ecd();
    judge_choco();
    judge_powergossip();
    judge_uncompensated();
    judge_graph();
    judge_unused_graph();
    return std::move(warnings_);
  }

 private:
  [[nodiscard]] bool is_lossy() const { return C_ != "identity"; }

  [[nodiscard]] bool is(std::initializer_list<std::string_view> names) const {
    return std::ranges::count(names, name_) > 0;
  }

  template <typename... Parts>
  void warn(fmt::format_string<Parts...> text, Parts&&... parts) {
    warnings_.push_back(fmt::format(text, std::forward<Parts>(parts)...));
  }

  void judge_dcd() {
    if (!is({"dcd"}) || !is_lossy()) return;
    // Without gradients a ring of 8 is stable up to omega = 1.2 and explodes from 1.5 on. What an
    // operator promises is a worst case, for minmax far from what it does: a bound alone would
    // speak against operators that work.
    constexpr double kStable = 1.2;
    if (!quality_.unbiased) {
      warn(
          "dcd is proved for unbiased compressors, and '{}' is biased: the run may stall far from "
          "the optimum; choco is made for biased ones",
          C_);
    } else if (quality_.omega > kStable && noise() > kStable) {
      warn(
          "dcd diverges when the compressor is too noisy: '{}' has a relative variance of {:.3g}, "
          "and about {} is the most that works; take more bits, or choco",
          C_, noise(), kStable);
    }
  }

  // |C(x) - x|^2 / |x|^2 for one normal x of the model's size.
  [[nodiscard]] double noise() const {
    const Compressor& compressor = *experiment_.compressor;
    const RngKey key{.seed = experiment_.config.seed, .purpose = Purpose::kInit};
    Rng rng(key);
    FloatBuffer x(compressor.size());
    for (float& value : x.view())
      value = static_cast<float>(rng.normal());
    Scratch scratch;
    ByteWriter message;
    compressor.encode(x.view(), key, scratch, message);
    FloatBuffer error(x.size());
    error.view() = -x.view();
    compressor.add(message.bytes(), 1.0f, scratch, error.view());
    return static_cast<double>(error.view().square().sum() / x.view().square().sum());
  }

  void judge_ecd() {
    if (!is({"ecd"}) || !is_lossy()) return;
    constexpr double kEnoughBits = 16.0;
    const auto d = static_cast<double>(std::max<std::size_t>(experiment_.layout().size(), 1));
    const double bits =
        8.0 * static_cast<double>(experiment_.compressor->encoded_size(RngKey{})) / d;
    if (!quality_.unbiased) {
      warn("ecd is proved for unbiased compressors, and '{}' is biased: expect divergence", C_);
    } else if (bits < kEnoughBits) {
      warn(
          "ecd compresses extrapolations that grow with the round number, and with it the error of "
          "any operator that is relative to what it compresses: '{}' sends {:.3g} bits per number, "
          "and below 16 it is known to fail",
          C_, bits);
    }
  }

  void judge_choco() {
    // What sign promises for any vector says nothing of those that occur.
    const bool is_sign = C_.find("sign") != std::string::npos;
    if (!is({"choco"}) || quality_.delta <= 0.0 || is_sign) return;
    // For top-k 5 times delta is known to work, 6 times stalls and 8 times diverges.
    constexpr double kTooLarge = 5.5;
    if (experiment_.gamma > kTooLarge * quality_.delta) {
      warn(
          "choco needs gamma not far above the quality of its compressor: {:.3g} is more than {} "
          "times the delta = {:.3g} that '{}' promises, and may diverge; gamma = \"auto\" finds a "
          "step",
          experiment_.gamma, kTooLarge, quality_.delta, C_);
    }
  }

  void judge_powergossip() {
    if (!is({"powergossip", "dpsgd", "exact"})) return;
    const Result<Mixing> mixing = mixing_of(*experiment_.topology);
    if (!mixing || !mixing.value().spectrum) return;
    const double largest = 2.0 / mixing.value().spectrum->one_minus_lambda_n;
    if (experiment_.gamma > largest) {
      warn("{} is stable for gamma up to 2 / (1 - lambda_n) = {:.4g} on this graph; {:.4g} is more",
           name_, largest, experiment_.gamma);
    }
  }

  void judge_uncompensated() {
    if (!is_lossy()) return;
    if (is({"naive", "q1", "q2"})) {
      warn(
          "{} compresses whole models and forgets the error: it stalls or diverges with any lossy "
          "compressor; it is here to be measured against",
          name_);
    }
    if (is({"qsparse", "qsparse-async"}) && has_flag(experiment_, "no-memory")) {
      warn("{} without its error memory stalls; 'no-memory' is here to show that", name_);
    }
  }

  void judge_graph() {
    if (experiment_.topology->is_symmetric() || experiment_.algorithm.reach != Reach::kNeighbours)
      return;
    if (!is({"dpsgd", "exact", "naive", "q1", "q2"})) {
      warn("the theory of {} needs a symmetric mixing matrix, and that of '{}' is not", name_,
           experiment_.topology->spec());
    }
  }

  void judge_unused_graph() {
    if (experiment_.algorithm.reach == Reach::kNeighbours) return;
    if (experiment_.config.topology == RunConfig{}.topology) return;
    warn("{} does not talk along a graph: topology '{}' is not used", name_,
         experiment_.config.topology);
  }

  const Experiment& experiment_;
  std::string name_;
  std::string C_;
  Quality quality_;
  std::vector<std::string> warnings_;
};

}  // namespace

Result<void> refuse_impossible(const Experiment& experiment) {
  const AlgorithmInfo& algorithm = experiment.algorithm;
  const Topology& topology = *experiment.topology;
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::count(names, algorithm.name) > 0;
  };
  if (experiment.consensus && algorithm.consensus == Consensus::kNever) {
    return Error{
        fmt::format("{} averages gradients, and consensus has none; take one of those that "
                    "gossip, such as choco, powergossip or exact",
                    algorithm.name)};
  }
  if (topology.is_time_varying() && is({"choco", "dcd", "ecd", "powergossip"})) {
    return Error{
        fmt::format("{} keeps sums over its neighbours, which need a graph that does not "
                    "change; '{}' does: take deepsqueeze or dpsgd, or another topology",
                    algorithm.name, topology.spec())};
  }
  if (!topology.is_symmetric() && is({"powergossip"})) {
    return Error{
        fmt::format("powergossip compares pairs of nodes, and '{}' has edges that go one way",
                    topology.spec())};
  }
  if (checkpoint_interval(experiment) > 0 && !is_repeatable(experiment)) {
    return Error{
        "qsparse-async:arrival serves workers as they come, which no checkpoint can repeat: leave "
        "out checkpoint-every, or 'arrival'"};
  }
  if (experiment.config.on_peer_loss == "drop") {
    if (algorithm.reach != Reach::kNeighbours || topology.is_time_varying() ||
        !topology.is_symmetric()) {
      return Error{fmt::format(
          "{} on '{}' cannot go on without a lost peer: that takes an algorithm that talks to "
          "neighbours alone, on a graph that is symmetric and does not change; give --on-peer-loss "
          "stop",
          algorithm.name, topology.spec())};
    }
    const auto made = make_algorithm(experiment.config.algorithm, experiment.algorithm_setup(0));
    if (Result<void> can = made.value()->can_lose_neighbours(); !can) return can;
  }
  if (experiment.config.network == "sim") {
    for (const auto& [node, time] : experiment.config.compute.per_node) {
      if (node >= experiment.config.nodes) {
        return Error{fmt::format("sim.node: there is no node {}; the nodes are 0 to {}", node,
                                 experiment.config.nodes - 1)};
      }
    }
  }
  return {};
}

std::vector<std::string> warnings_about(const Experiment& experiment) {
  return Judge(experiment).warnings();
}

}  // namespace gossamer
