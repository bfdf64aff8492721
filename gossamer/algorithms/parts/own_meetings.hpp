#pragma once

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/base/rng.hpp"

namespace gossamer {

/// One worker's own index set: gaps drawn uniformly from 1 to H, and the last round. A function of
/// (seed, worker, H), so that a coordinator knows it too and a resumed run finds it again.
class OwnMeetings {
 public:
  OwnMeetings(std::uint64_t seed, NodeId worker, const AlgorithmSetup& setup)
      : gaps_(RngKey{.seed = seed, .purpose = Purpose::kSchedule, .node = worker}),
        longest_gap_(static_cast<std::uint32_t>(setup.local_steps)),
        last_(setup.rounds) {}

  /// Asked for rounds in ascending order.
  [[nodiscard]] bool in(Round round) {
    while (next_ < round + 1)
      next_ += 1 + gaps_.below(longest_gap_);
    return next_ == round + 1 || round + 1 == last_;
  }

 private:
  Rng gaps_;
  std::uint32_t longest_gap_;
  Round last_;
  Round next_ = 0;
};

}  // namespace gossamer
