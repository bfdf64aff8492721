#include "gossamer/hunt/random_faults.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/base/rng.hpp"
#include "gossamer/experiment/experiment.hpp"
#include "gossamer/hunt/hunt_config.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer {
namespace {

using Kind = Fault::Kind;
using std::chrono::milliseconds;

/// Puts faults down one after the other, and knows who is there.
class Generator {
 public:
  Generator(Hunt& hunt, Rng& rng, std::span<const Family> families)
      : hunt_(hunt),
        rng_(rng),
        families_(families),
        is_there_(hunt.nodes, true),
        away_until_(hunt.nodes),
        dies_at_(hunt.nodes),
        hostile_(rng.below(hunt.nodes)) {}

  void run(Time begin, Time end) {
    now_ = begin;
    while (now_ < end) {
      choose(families_[rng_.below(static_cast<std::uint32_t>(families_.size()))]);
      // Often at once, to hit what is under way; now and then at the very same time.
      const std::uint32_t when = rng_.below(6);
      if (when > 0) now_ += when < 3 ? between(0, 40) : between(40, 2500);
    }
    hunt_.mended_at = now_;
    std::erase_if(hunt_.faults, [this](const Fault& fault) { return fault.at >= now_; });
    std::ranges::stable_sort(hunt_.faults, {}, &Fault::at);
  }

 private:
  [[nodiscard]] Duration between(std::uint32_t least, std::uint32_t most) {
    return milliseconds(least + rng_.below(most - least + 1));
  }

  [[nodiscard]] bool one_in(std::uint32_t count) { return rng_.below(count) == 0; }

  void put(Kind kind, Duration later, NodeId node, NodeId other = 0) {
    hunt_.faults.push_back({.kind = kind, .at = now_ + later, .node = node, .other = other});
  }

  [[nodiscard]] bool is_present(NodeId node) const {
    return is_there_[node] && away_until_[node] <= now_;
  }

  /// Whether more than half are left without so many more.
  [[nodiscard]] bool can_lose(NodeId count) const {
    NodeId present = 0;
    for (NodeId node = 0; node < hunt_.nodes; ++node)
      present += is_present(node) ? 1 : 0;
    return present > count && 2 * (present - count) > hunt_.nodes;
  }

  /// One that is there, if there are enough of them.
  [[nodiscard]] bool draw_victim(NodeId& node) {
    node = rng_.below(hunt_.nodes);
    return is_present(node) && can_lose(1);
  }

  [[nodiscard]] NodeId other_than(NodeId node) {
    // Mostly a neighbour on a ring.
    const NodeId step = one_in(3) ? 1 + rng_.below(hunt_.nodes - 1) : 1;
    return (node + step) % hunt_.nodes;
  }

  void choose(Family family) {
    switch (family) {
      case Family::kKills:
        return kill_or_restart();
      case Family::kSettings:
        return restart_with_other_settings();
      case Family::kStops:
        return one_in(3) ? stop_all() : stop_one();
      case Family::kPauses:
        return pause_shortly();
      case Family::kLongPauses:
        return pause_for_long();
      case Family::kCuts:
        return cut();
      case Family::kSlow:
        return slow();
      case Family::kParts:
        return part(1 + rng_.below((hunt_.nodes - 1) / 2));
      case Family::kHalves:
        return part(hunt_.nodes / 2);
      case Family::kHostile:
        put(Kind::kHostile, Duration{}, hostile_, other_than(hostile_));
        hunt_.faults.back().seed = rng_.next_u32();
        return;
    }
  }

  void kill_or_restart() {
    const NodeId node = rng_.below(hunt_.nodes);
    if (!is_there_[node]) {
      if (now_ < dies_at_[node]) return;
      restart(node, Duration{});
      // Who has just come is in the midst of a join, and so are its neighbours.
      if (one_in(4)) kill(one_in(2) ? node : other_than(node), between(0, 1500));
    } else {
      kill(node, Duration{});
    }
  }

  void kill(NodeId node, Duration later) {
    if (!is_present(node) || !can_lose(1)) return;
    put(Kind::kKill, later, node);
    dies_at_[node] = now_ + later;
    is_there_[node] = false;
  }

  void restart(NodeId node, Duration later) {
    constexpr std::array kKinds = {Kind::kRestart, Kind::kRestart, Kind::kRestartEmptyHanded,
                                   Kind::kRestartEmptyHanded, Kind::kRestartTorn};
    put(kKinds[rng_.below(kKinds.size())], later, node);
    is_there_[node] = true;
  }

  // It ends by itself, or not; then it starts with the right ones.
  void restart_with_other_settings() {
    NodeId node = 0;
    if (!draw_victim(node)) return;
    put(Kind::kKill, Duration{}, node);
    const Duration begins = between(0, 2000);
    put(Kind::kRestartOtherSettings, begins, node);
    const Duration ends = begins + between(0, 2000);
    put(Kind::kKill, ends, node);
    restart(node, ends + between(0, 500));
    away_until_[node] = hunt_.faults.back().at;
  }

  void stop_one() {
    NodeId node = 0;
    if (!draw_victim(node)) return;
    put(Kind::kStop, Duration{}, node);
    put(Kind::kRestart, between(300, 2500), node);
    away_until_[node] = hunt_.faults.back().at;
  }

  void stop_all() {
    for (NodeId node = 0; node < hunt_.nodes; ++node) {
      put(Kind::kStop, between(0, 30), node);
      put(Kind::kRestart, between(2500, 3000), node);
      is_there_[node] = true;
    }
    now_ += milliseconds(3000);
  }

  // One after the other, each with time to be called again: a link between two that sleep in turn
  // would be down for too long.
  void pause_shortly() {
    if (now_ < pause_until_) return;
    const NodeId node = rng_.below(hunt_.nodes);
    const Duration duration = between(10, 500);
    put(Kind::kPause, Duration{}, node);
    put(Kind::kResume, duration, node);
    pause_until_ = now_ + duration + milliseconds(500);
  }

  void pause_for_long() {
    NodeId node = 0;
    if (!draw_victim(node)) return;
    const Duration duration = between(1300, 3000);
    put(Kind::kPause, Duration{}, node);
    put(Kind::kResume, duration, node);
    away_until_[node] = now_ + duration;
  }

  void cut() {
    const bool is_long = one_in(2);
    if (is_long && now_ < cut_until_) return;
    const NodeId node = rng_.below(hunt_.nodes);
    const NodeId other = other_than(node);
    const Duration duration = is_long ? between(1300, 3000) : between(10, 900);
    const bool is_one_way = one_in(2);
    for (const auto& [from, to] : {std::pair(node, other), std::pair(other, node)}) {
      put(Kind::kCut, Duration{}, from, to);
      put(Kind::kHeal, duration, from, to);
      if (is_one_way) break;
    }
    if (is_long) cut_until_ = now_ + duration;
  }

  void slow() {
    const NodeId node = rng_.below(hunt_.nodes);
    const NodeId other = other_than(node);
    put(Kind::kSlow, Duration{}, node, other);
    put(Kind::kFast, between(500, 4000), node, other);
  }

  void part(NodeId count) {
    if (now_ < part_until_) return;
    std::vector<NodeId> nodes(hunt_.nodes);
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    // Those that follow each other on a ring, or any.
    const auto shift = static_cast<std::ptrdiff_t>(rng_.below(hunt_.nodes));
    std::rotate(nodes.begin(), nodes.begin() + shift, nodes.end());
    if (one_in(3)) std::swap(nodes.front(), nodes[count]);
    nodes.resize(count);
    std::ranges::sort(nodes);
    const auto leaving = static_cast<NodeId>(
        std::ranges::count_if(nodes, [this](NodeId node) { return is_present(node); }));
    if (2 * count < hunt_.nodes && !can_lose(leaving)) return;
    const Duration duration = one_in(3) ? between(10, 900) : between(1300, 3000);
    hunt_.faults.push_back({.kind = Kind::kPart, .at = now_, .part = nodes});
    hunt_.faults.push_back({.kind = Kind::kUnite, .at = now_ + duration, .part = nodes});
    part_until_ = now_ + duration;
    for (const NodeId node : nodes)
      away_until_[node] = std::max(away_until_[node], part_until_);
  }

  Hunt& hunt_;
  Rng& rng_;
  std::span<const Family> families_;
  std::vector<bool> is_there_;
  std::vector<Time> away_until_;
  std::vector<Time> dies_at_;  // of those that are killed a little later
  Time pause_until_{};
  Time cut_until_{};
  Time part_until_{};
  NodeId hostile_;
  Time now_{};
};

/// Nothing if it cannot lose neighbours, or cannot be made.
bool is_huntable(const Method& method) {
  Hunt hunt;
  hunt.algorithm = method.algorithm;
  hunt.compressor = method.compressor;
  GammaTuner tuner;
  return make_experiment(config_of(hunt), tuner).ok();
}

std::vector<Method> find_methods() {
  std::vector<Method> methods;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    // Some have to keep a copy of each neighbour for it, and do so if they are told.
    for (const std::string& spec : {algorithm.example, algorithm.name + ":replicas"}) {
      const std::array<Method, 2> tried = {Method{spec, "minmax:8"}, Method{spec, "identity"}};
      const auto found = std::ranges::find_if(tried, is_huntable);
      if (found == tried.end()) continue;
      methods.push_back(*found);
      break;
    }
  }
  return methods;
}

}  // namespace

const std::vector<Method>& methods_that_lose() {
  static const std::vector<Method> methods = find_methods();
  return methods;
}

Hunt random_hunt(std::uint64_t seed, const Method& method, std::span<const Family> families) {
  Rng rng(RngKey{.seed = seed, .purpose = Purpose::kSchedule, .node = 1});
  constexpr std::array kGraphs = {"ring", "complete", "torus"};
  Hunt hunt;
  hunt.topology = kGraphs[rng.below(kGraphs.size())];
  hunt.nodes = hunt.topology == "torus" ? 6 : 4 + rng.below(4);
  if (hunt.topology == "torus") hunt.topology = "torus:2x3";
  hunt.algorithm = method.algorithm;
  hunt.compressor = method.compressor;
  hunt.seed = seed;
  const Duration length = static_cast<std::int64_t>(hunt.rounds) * hunt.compute;
  Generator(hunt, rng, families).run(Time{} + std::chrono::seconds(1), Time{} + length / 2);
  return hunt;
}

}  // namespace gossamer
