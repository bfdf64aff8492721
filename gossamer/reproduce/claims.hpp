#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/events/measurement.hpp"
#include "gossamer/member/failure.hpp"
#include "gossamer/reproduce/entry.hpp"

namespace gossamer {

/// What was measured of one run, in the order of rounds.
struct RunSeries {
  std::string name;
  std::vector<Measurement> measurements;
  /// How it diverged, if it did: that is a result like others.
  std::optional<Failure> divergence;
};

/// What was found out about a claim.
struct Verdict {
  /// Nothing where there is no number to give; `text` says why.
  std::optional<double> measured;
  /// The number for people, as "82.3x fewer bits" or "> 1200 rounds".
  std::string text;
  bool holds = false;
};

/// Of a claim about these runs; the runs that it names must be there.
///
/// A run that never reaches a target needs more than it was given, so that a ratio to one that does
/// is a bound, and can hold as such. Two that never do have no ratio, and one that diverged has no
/// number at all.
[[nodiscard]] Verdict judge(const Claim& claim, std::span<const RunSeries> runs);

/// How a claim stands: as the paper says, otherwise for a reason that the entry gives, or not as
/// the entry says.
enum class Standing { kHolds, kDiffers, kFails };

[[nodiscard]] Standing standing_of(const Claim& claim, const Verdict& verdict);

/// "holds", "differs", "does not hold"
[[nodiscard]] std::string_view name_of(Standing standing);

}  // namespace gossamer
