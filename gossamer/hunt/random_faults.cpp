#include "gossamer/hunt/random_faults.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace gossamer {
namespace {

/// Puts faults down one after the other, and knows who is there.
class Generator {
 public:
  Generator(Hunt& hunt, Rng& rng) : hunt_(hunt), rng_(rng), is_there_(hunt.nodes, true) {}

  void run(Time begin, Time end) {
    now_ = begin;
    while (now_ < end) {
      choose();
      // Often at once, to hit what is under way.
      now_ += rng_.below(3) == 0 ? milliseconds(0, 40) : milliseconds(40, 6000);
    }
    for (NodeId node = 0; node < hunt_.nodes; ++node) {
      if (!is_there_[node]) restart(node);
    }
    std::ranges::stable_sort(hunt_.faults, {}, &Fault::at);
  }

 private:
  [[nodiscard]] Duration milliseconds(std::uint32_t least, std::uint32_t most) {
    return std::chrono::milliseconds(least + rng_.below(most - least + 1));
  }

  void choose() {
    const NodeId node = rng_.below(hunt_.nodes);
    if (!is_there_[node]) return restart(node);
    const auto there = static_cast<NodeId>(std::ranges::count(is_there_, true));
    if (2 * (there - 1) <= hunt_.nodes) return;
    if (rng_.below(5) == 0) {
      // For less than a deadline: nobody is lost.
      put(Fault::Kind::kPause, node);
      hunt_.faults.push_back({Fault::Kind::kResume, now_ + milliseconds(10, 1500), node, 0});
      return;
    }
    put(Fault::Kind::kKill, node);
    is_there_[node] = false;
  }

  void restart(NodeId node) {
    // One that was started with the wrong settings ends, and is started again with the right ones.
    if (rng_.below(8) == 0) {
      put(Fault::Kind::kRestartOtherSettings, node);
      now_ += milliseconds(0, 3000);
      put(Fault::Kind::kKill, node);
    }
    put(rng_.below(2) == 0 ? Fault::Kind::kRestart : Fault::Kind::kRestartEmptyHanded, node);
    is_there_[node] = true;
  }

  void put(Fault::Kind kind, NodeId node) { hunt_.faults.push_back({kind, now_, node, 0}); }

  Hunt& hunt_;
  Rng& rng_;
  std::vector<bool> is_there_;
  Time now_{};
};

}  // namespace

Hunt random_hunt(std::uint64_t seed, const std::string& algorithm, const std::string& compressor) {
  Rng rng(RngKey{.seed = seed, .purpose = Purpose::kSchedule, .node = 1});
  constexpr std::array kGraphs = {"ring", "complete", "torus"};
  Hunt hunt;
  hunt.topology = kGraphs[rng.below(kGraphs.size())];
  hunt.nodes = hunt.topology == "torus" ? 6 : 4 + rng.below(4);
  if (hunt.topology == "torus") hunt.topology = "torus:2x3";
  hunt.algorithm = algorithm;
  hunt.compressor = compressor;
  hunt.seed = seed;
  const Duration length = static_cast<std::int64_t>(hunt.rounds) * hunt.compute;
  Generator(hunt, rng).run(Time{} + std::chrono::seconds(1), Time{} + length / 2);
  return hunt;
}

}  // namespace gossamer
