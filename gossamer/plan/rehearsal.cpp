#include "gossamer/plan/rehearsal.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/rng.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/experiment/experiment.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/node/node.hpp"
#include "gossamer/plan/cache_flood.hpp"
#include "gossamer/plan/metered_network.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer {
namespace {

using Work = MeteredNetwork::Work;

// The first periods touch memory for the first time.
constexpr int kWarmUpRounds = 2;
// Even: PowerGossip sends the one and the other side of a matrix in turns.
constexpr int kMeasuredRounds = 6;

/// The three calls of a round in which an algorithm may send.
constexpr std::size_t kCalls = 3;

enum Call : std::uint8_t { kBeforeGradient, kShareGradient, kAfterGradient };

using RoundWork = std::array<Work, kCalls>;

/// What one node did: by period, by round of the period.
using NodeWork = std::vector<std::vector<RoundWork>>;

void fill_with_noise(NodeId node, Vec v) {
  Rng rng(RngKey{.seed = 1, .purpose = Purpose::kInit, .node = node});
  for (float& number : v)
    number = static_cast<float>(rng.uniform()) - 0.5f;
}

NodeWork play_part(Network& world, const Topology& topology, const std::string& spec,
                   const AlgorithmSetup& setup) {
  MeteredNetwork network(world, thread_cpu_time);
  Node node({network, topology, setup.layout, 1});
  const auto algorithm = std::move(make_algorithm(spec, setup)).value();
  fill_with_noise(0, node.x());  // all begin with one model
  algorithm->start(node);
  // Moves that differ, so that nodes have something to tell each other.
  FloatBuffer u(setup.layout.size());
  fill_with_noise(node.id() + 1, u.view());
  CacheFlood flood(kFloodedModels * setup.layout.size());
  NodeWork work(kWarmUpRounds + kMeasuredRounds, std::vector<RoundWork>(setup.local_steps));
  (void)network.take();
  for (auto& period : work) {
    for (RoundWork& round : period) {
      algorithm->before_gradient(node);
      round[kBeforeGradient] = network.take();
      flood.pass();  // where the gradient would be
      (void)network.take();
      algorithm->share_gradient(node, u.view());
      round[kShareGradient] = network.take();
      algorithm->after_gradient(node, u.view());
      round[kAfterGradient] = network.take();
      node.end_round();
    }
  }
  work.erase(work.begin(), work.begin() + kWarmUpRounds);
  return work;
}

// What everybody did there in every period: the median of times, which are noisy, and the mean of
// bytes.
Work usual_work(const std::vector<NodeWork>& nodes, Round round, Call call) {
  std::vector<Duration> until_sent;
  std::vector<Duration> after;
  std::uint64_t bytes = 0;
  for (const NodeWork& node : nodes) {
    for (const auto& period : node) {
      until_sent.push_back(period[round][call].until_sent);
      after.push_back(period[round][call].after);
      bytes += period[round][call].payload_bytes;
    }
  }
  const auto median = [](std::vector<Duration>& times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
  };
  Work work = nodes.front().front()[round][call];
  work.until_sent = median(until_sent);
  work.after = median(after);
  work.payload_bytes = bytes / after.size();
  return work;
}

ScriptStep work_step(Duration work) {
  return {.kind = ScriptStep::Kind::kWork, .fixed_work = work};
}

/// Turns what was done in each call into steps.
class Writer {
 public:
  explicit Writer(std::size_t peers) : peers_(peers) {}

  void write(const RoundWork& round) {
    write_call(round[kBeforeGradient], Gather::kLater);
    steps_.push_back({.kind = ScriptStep::Kind::kGradient});
    write_call(round[kShareGradient], Gather::kAtOnce);
    write_call(round[kAfterGradient], Gather::kAtOnce);
  }

  [[nodiscard]] std::vector<ScriptStep> take() { return std::move(steps_); }

 private:
  enum class Gather : std::uint8_t { kAtOnce, kLater };

  // An algorithm gathers what it has sent before it sends again, and what travelled while the
  // gradient was computed when that is done.
  void write_call(const Work& work, Gather gather) {
    if (gather == Gather::kAtOnce) gather_pending();
    const std::size_t exchanges = work.messages / peers_;
    if (exchanges == 0) {
      steps_.push_back(work_step(work.until_sent + work.after));
      return;
    }
    const auto share = static_cast<Duration::rep>(exchanges);
    for (std::size_t i = 0; i < exchanges; ++i) {
      steps_.push_back(work_step(work.until_sent / share));
      steps_.push_back(
          {.kind = ScriptStep::Kind::kSend, .bytes = work.payload_bytes / work.messages});
      is_pending_ = true;
      if (gather == Gather::kAtOnce) gather_pending();
    }
    steps_.push_back(work_step(work.after));
  }

  void gather_pending() {
    if (is_pending_) steps_.push_back({.kind = ScriptStep::Kind::kGather});
    is_pending_ = false;
  }

  std::size_t peers_;
  bool is_pending_ = false;
  std::vector<ScriptStep> steps_;
};

/// What is rehearsed.
struct Piece {
  const MethodSpec& method;
  const Layout& layout;
  std::shared_ptr<const Compressor> compressor;
};

// All nodes talk to all others, or to the next one of a ring.
Result<std::vector<ScriptStep>> rehearse_with(NodeId nodes, const Piece& piece, Reach reach) {
  auto topology = make_topology("complete", nodes, 0);
  if (!topology) return topology.error();
  const AlgorithmSetup setup{.compressor = piece.compressor,
                             .layout = piece.layout,
                             .local_steps = piece.method.local_steps};
  if (auto made = make_algorithm(piece.method.algorithm, setup); !made) return made.error();
  std::vector<NodeWork> work(nodes);
  run_inproc(nodes, [&](Network& network) {
    work[network.self()] = play_part(network, *topology.value(), piece.method.algorithm, setup);
  });
  Writer writer(reach == Reach::kRing ? 1 : nodes - 1);
  for (Round round = 0; round < piece.method.local_steps; ++round) {
    writer.write({usual_work(work, round, kBeforeGradient), usual_work(work, round, kShareGradient),
                  usual_work(work, round, kAfterGradient)});
  }
  return writer.take();
}

// A line through the work with few peers and with many.
void tell_peers_apart(std::vector<ScriptStep>& few, std::size_t few_peers,
                      const std::vector<ScriptStep>& many, std::size_t many_peers) {
  for (std::size_t i = 0; i < few.size(); ++i) {
    const Duration whole = few[i].fixed_work;
    const Duration more = many[i].fixed_work - whole;
    const auto peers = static_cast<Duration::rep>(few_peers);
    const Duration each = more / static_cast<Duration::rep>(many_peers - few_peers);
    few[i].work_per_peer = std::clamp(each, Duration{0}, whole / peers);
    few[i].fixed_work = whole - peers * few[i].work_per_peer;
  }
}

// Work, send, gather: what an exchange of a ring consists of, one behind the other.
constexpr std::ptrdiff_t kStepsOfExchange = 3;

bool begins_exchange(const std::vector<ScriptStep>& steps, std::size_t i) {
  return i + kStepsOfExchange <= steps.size() && steps[i + 1].kind == ScriptStep::Kind::kSend;
}

}  // namespace

Result<RoundScript> rehearse(const MethodSpec& method, const Layout& layout) {
  const Result<AlgorithmInfo> info = find_algorithm(method.algorithm);
  if (!info) return info.error();
  const Reach reach = info.value().reach;
  if (reach == Reach::kCoordinator) {
    return Error{
        fmt::format("{} has no rounds that all nodes take together, so they cannot be planned",
                    method.algorithm)};
  }
  auto compressor = make_compressor(compressor_spec(method.compressor, layout), layout);
  if (!compressor) return compressor.error();
  const Piece piece{method, layout, std::move(compressor.value())};
  RoundScript script{.reach = reach, .steps = {}, .rounds = method.local_steps, .shares = 0};
  constexpr NodeId kFew = 3;
  constexpr NodeId kMany = 5;
  Result<std::vector<ScriptStep>> few = rehearse_with(kFew, piece, reach);
  if (!few) return few.error();
  script.steps = std::move(few.value());
  if (reach == Reach::kRing) {
    script.shares = kFew;
    return script;
  }
  const Result<std::vector<ScriptStep>> many = rehearse_with(kMany, piece, reach);
  if (!many) return many.error();
  tell_peers_apart(script.steps, kFew - 1, many.value(), kMany - 1);
  return script;
}

RoundScript scaled_to(const RoundScript& script, NodeId nodes) {
  if (script.shares == 0) return script;
  RoundScript scaled = with_ring_exchanges(script, 2 * std::size_t{nodes - 1});
  scaled.shares = nodes;
  for (std::size_t i = 0; i + 1 < scaled.steps.size(); ++i) {
    if (!begins_exchange(scaled.steps, i)) continue;
    scaled.steps[i].fixed_work = scaled.steps[i].fixed_work * script.shares / nodes;
    scaled.steps[i + 1].bytes = scaled.steps[i + 1].bytes * script.shares / nodes;
  }
  return scaled;
}

std::size_t ring_exchanges(const RoundScript& script) {
  if (script.shares == 0) return 0;
  return static_cast<std::size_t>(
      std::ranges::count(script.steps, ScriptStep::Kind::kSend, &ScriptStep::kind));
}

RoundScript with_ring_exchanges(const RoundScript& script, std::size_t exchanges) {
  RoundScript changed = script;
  changed.steps.clear();
  for (std::size_t i = 0; i < script.steps.size();) {
    if (!begins_exchange(script.steps, i)) {
      changed.steps.push_back(script.steps[i++]);
      continue;
    }
    const auto first = script.steps.begin() + static_cast<std::ptrdiff_t>(i);
    for (std::size_t k = 0; k < exchanges; ++k)
      changed.steps.insert(changed.steps.end(), first, first + kStepsOfExchange);
    while (begins_exchange(script.steps, i))
      i += kStepsOfExchange;
  }
  return changed;
}

}  // namespace gossamer
