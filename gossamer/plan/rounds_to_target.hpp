#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// How wrong a model was after so many rounds: a loss, or a share of wrong answers.
struct ErrorAfter {
  Round round = 0;
  double error = 0;
};

/// How many rounds training needs until it is wrong by so little.
struct RoundsToTarget {
  enum class Source : std::uint8_t {
    kSeen,          // between two rounds of the run
    kExtrapolated,  // as it would go on
    kNone,          // it does not get there, as far as one can tell
  };

  Source source = Source::kNone;
  double rounds = 0;  // where there is a source
};

/// What a run says, of which these errors are known, in the order of rounds from 1 on. Training
/// errors fall about as a power of the round: between two points, and beyond the last one, the
/// logarithm of the error is a line over that of the round. The line beyond is fitted to the last
/// half of the points, and trusted for 100 times as many rounds as were seen.
[[nodiscard]] RoundsToTarget rounds_to_target(std::span<const ErrorAfter> run, double target);

}  // namespace gossamer
