#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/base/time.hpp"
#include "gossamer/hunt/fault.hpp"

namespace gossamer {

// Virtual: what matters is how they compare with each other, and with a step's time.

/// How long a link of a hunted run may be down before its peer is lost.
inline constexpr Duration kHuntDeadline = std::chrono::seconds(1);
/// How long its nodes wait for each other.
inline constexpr Duration kHuntPatience = std::chrono::seconds(10);

/// What is run, and what goes wrong meanwhile.
struct Hunt {
  NodeId nodes = 6;
  std::string topology = "ring";
  /// One that can lose neighbours.
  std::string algorithm;
  std::string compressor = "identity";
  Round rounds = 200;
  /// Of a step, in virtual time.
  Duration compute = std::chrono::milliseconds(100);
  /// Of links, delays and gradients.
  std::uint64_t seed = 0;
  std::vector<Fault> faults = {};
  /// From when on nothing is wrong any more: links are whole, and who was paused, killed or stopped
  /// goes on or starts again. Nothing: never.
  std::optional<Time> mended_at = std::nullopt;
};

/// A line for each setting and each fault: read_hunt() reads it.
[[nodiscard]] std::string text_of(const Hunt& hunt);

/// Empty lines, and what stands behind a #, are left out.
[[nodiscard]] Result<Hunt> read_hunt(std::string_view text);

}  // namespace gossamer
