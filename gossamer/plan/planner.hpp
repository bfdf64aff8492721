#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/math/layout.hpp"
#include "gossamer/network/sim/sim.hpp"
#include "gossamer/plan/playback.hpp"
#include "gossamer/plan/round_script.hpp"
#include "gossamer/settings/method_spec.hpp"

namespace gossamer {

/// What could be run.
struct Candidate {
  MethodSpec method;
  std::string topology = "ring";

  bool operator==(const Candidate&) const = default;
};

/// What most of a round's time is for.
enum class Limit : std::uint8_t { kCompute, kBandwidth, kLatency };

[[nodiscard]] std::string_view name_of(Limit limit);

/// What is expected of a candidate.
struct Forecast {
  Candidate candidate;
  PlayedRound round;
  Limit limit = Limit::kCompute;
  /// Of the graph, where the method uses it.
  std::optional<double> spectral_gap;
  /// The step that theory proves for the method's compressor on this graph. Practice allows 100 to
  /// 1000 times more.
  std::optional<double> safe_gamma;
  /// What theory or experience says against it.
  std::vector<std::string> warnings;
};

/// Where and what is planned.
struct PlanSetup {
  NodeId nodes = 8;
  /// Must outlive the planner.
  const Layout& layout;
  /// Processor time of a step.
  Duration gradient{};
  SimSetup network;
  std::uint64_t seed = 0;
};

/// Says how long rounds would take, by simulation of what a rehearsal on this machine showed.
class Planner {
 public:
  explicit Planner(PlanSetup setup) : setup_(std::move(setup)) {}

  /// Refuses what cannot be run, and what would take too long to simulate.
  [[nodiscard]] Result<Forecast> forecast(const Candidate& candidate);

 private:
  [[nodiscard]] Result<RoundScript> script_of(const MethodSpec& method);

  PlanSetup setup_;
  std::map<std::string, RoundScript> scripts_;  // by the method's text: rehearsals take a while
};

/// What is worth a try with so many nodes: the methods that converge, on graphs that suit them.
[[nodiscard]] std::vector<Candidate> usual_candidates(NodeId nodes);

/// Every one of these methods on every one of these graphs; methods that use no graph once.
[[nodiscard]] Result<std::vector<Candidate>> candidates_of(
    const std::vector<MethodSpec>& methods, const std::vector<std::string>& topologies);

}  // namespace gossamer
