#include "gossamer/plan/planner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/experiment/advice.hpp"
#include "gossamer/experiment/experiment.hpp"
#include "gossamer/member/talking_pairs.hpp"
#include "gossamer/plan/rehearsal.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer {
namespace {

// Everybody to everybody is n^2 messages, each of which costs the simulator some 50 us.
constexpr NodeId kMostInAllToAll = 128;

// What theory needs to know of a candidate: all but the task.
Result<std::unique_ptr<Experiment>> examine(const Candidate& candidate, const PlanSetup& setup) {
  auto experiment = std::make_unique<Experiment>();
  experiment->config.nodes = setup.nodes;
  experiment->config.algorithm = candidate.method.algorithm;
  experiment->config.topology = candidate.topology;
  Result<AlgorithmInfo> info = find_algorithm(candidate.method.algorithm);
  if (!info) return info.error();
  experiment->algorithm = std::move(info).value();
  auto topology = make_topology(candidate.topology, setup.nodes, setup.seed);
  if (!topology) return topology.error();
  experiment->topology = std::move(topology).value();
  auto compressor =
      make_compressor(compressor_spec(candidate.method.compressor, setup.layout), setup.layout);
  if (!compressor) return compressor.error();
  experiment->compressor = std::move(compressor).value();
  // What is found when it is trained cannot be judged before.
  experiment->gamma = 0.0f;
  if (const std::string& gamma = candidate.method.gamma; !gamma.empty() && gamma != "auto") {
    const std::optional<float> number = parse_number<float>(gamma);
    if (!number || !std::isfinite(*number) || *number <= 0.0f)
      return Error{fmt::format("gamma must be a number above 0 or 'auto', not '{}'", gamma)};
    experiment->gamma = *number;
  }
  if (const Result<void> possible = refuse_impossible(*experiment); !possible)
    return possible.error();
  // Where layout() looks without a task.
  experiment->consensus.emplace();
  experiment->consensus->layout = setup.layout;
  return experiment;
}

RoundScript without_bytes(RoundScript script) {
  for (ScriptStep& step : script.steps)
    step.bytes = 0;
  return script;
}

RoundScript without_work(RoundScript script) {
  for (ScriptStep& step : script.steps)
    step.fixed_work = step.work_per_peer = Duration{0};
  return script;
}

SimSetup without_processors(SimSetup network) {
  network.processors = {};
  return network;
}

// A link between nodes that never talk would be refused. No pairs: everybody talks to everybody.
SimSetup with_links_in_use(SimSetup network, const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  if (network.links.empty() || pairs.empty()) return network;
  const std::set<std::pair<NodeId, NodeId>> in_use(pairs.begin(), pairs.end());
  std::erase_if(network.links, [&](const SimLink& link) {
    return !in_use.contains({link.a, link.b}) && !in_use.contains({link.b, link.a});
  });
  return network;
}

}  // namespace

std::string_view name_of(Limit limit) {
  constexpr std::array<std::string_view, 3> kNames = {"compute", "bandwidth", "latency"};
  return kNames.at(static_cast<std::size_t>(limit));
}

Result<RoundScript> Planner::script_of(const MethodSpec& method) {
  if (const auto known = scripts_.find(method.text()); known != scripts_.end())
    return known->second;
  Result<RoundScript> script = rehearse(method, setup_.layout);
  if (!script) return script.error();
  const RoundScript scaled = scaled_to(script.value(), setup_.nodes);
  scripts_.emplace(method.text(), scaled);
  return scaled;
}

Result<Forecast> Planner::forecast(const Candidate& candidate) {
  const auto examined = examine(candidate, setup_);
  if (!examined) return examined.error();
  const Experiment& experiment = *examined.value();
  if (experiment.algorithm.reach == Reach::kEveryone && setup_.nodes > kMostInAllToAll) {
    return Error{fmt::format(
        "{} sends from everybody to everybody, which is not simulated for more than {} nodes",
        candidate.method.algorithm, kMostInAllToAll)};
  }
  const Result<RoundScript> script = script_of(candidate.method);
  if (!script) return script.error();
  const Topology& topology = *experiment.topology;
  const auto play_with = [&](const RoundScript& variant, const SimSetup& on, Duration gradient) {
    return play(variant, topology, on, gradient);
  };
  const SimSetup network =
      with_links_in_use(setup_.network, talking_pairs(experiment.algorithm.reach, topology));
  const auto whole = play_with(script.value(), network, setup_.gradient);
  if (!whole) return whole.error();
  const SimSetup idle = without_processors(network);
  const auto no_bytes = play_with(without_bytes(script.value()), network, setup_.gradient);
  if (!no_bytes) return no_bytes.error();
  const auto no_work = play_with(without_work(script.value()), idle, Duration{0});
  if (!no_work) return no_work.error();
  const auto neither = play_with(without_work(without_bytes(script.value())), idle, Duration{0});
  if (!neither) return neither.error();

  Forecast forecast;
  forecast.candidate = candidate;
  forecast.round = whole.value();
  // What would be saved without bytes, without computing, and what neither would save.
  const std::array<std::pair<double, Limit>, 3> shares = {{
      {whole.value().seconds - no_work.value().seconds, Limit::kCompute},
      {whole.value().seconds - no_bytes.value().seconds, Limit::kBandwidth},
      {neither.value().seconds, Limit::kLatency},
  }};
  forecast.limit = std::ranges::max_element(shares)->second;
  if (experiment.algorithm.reach == Reach::kNeighbours) {
    if (const Result<Mixing> mixing = mixing_of(topology); mixing) {
      forecast.spectral_gap = mixing.value().spectral_gap;
      const double delta = experiment.compressor->quality().delta;
      if (experiment.algorithm.has_proved_gamma && mixing.value().spectrum && delta > 0)
        forecast.safe_gamma = mixing.value().spectrum->gamma_safe(delta);
    }
  }
  forecast.warnings = warnings_about(experiment);
  return forecast;
}

Result<std::vector<Candidate>> candidates_of(const std::vector<MethodSpec>& methods,
                                             const std::vector<std::string>& topologies) {
  std::vector<Candidate> candidates;
  for (const MethodSpec& method : methods) {
    const Result<AlgorithmInfo> info = find_algorithm(method.algorithm);
    if (!info) return info.error();
    if (info.value().reach != Reach::kNeighbours) {
      candidates.push_back({method, "ring"});
      continue;
    }
    for (const std::string& topology : topologies)
      candidates.push_back({method, topology});
  }
  return candidates;
}

std::vector<Candidate> usual_candidates(NodeId nodes) {
  constexpr std::string_view kMethods =
      "allreduce,local-sgd*8,dpsgd,choco/sign,choco/topk:0.01,choco/qsgd:4,deepsqueeze/sign,"
      "dcd/minmax:8,powergossip,ef-sgd/topk:0.01,qsparse/topk:0.01+qsgd:4*8";
  std::vector<std::string> topologies = {"ring"};
  for (const char* const better : {"torus", "random-regular:4"}) {
    if (nodes > 5 && make_topology(better, nodes, 0)) topologies.emplace_back(better);
  }
  std::vector<Candidate> candidates =
      candidates_of(parse_methods(kMethods).value(), topologies).value();
  std::erase_if(candidates, [&](const Candidate& candidate) {
    const Reach reach = find_algorithm(candidate.method.algorithm).value().reach;
    return reach == Reach::kEveryone && nodes > kMostInAllToAll;
  });
  return candidates;
}

}  // namespace gossamer
