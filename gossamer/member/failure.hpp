#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// How a run ended too early, and where.
struct Failure {
  enum class Kind : std::uint8_t {
    kDiverged,   // a loss or an error above the limit
    kNonFinite,  // a NaN or an infinity
    kStalled,    // waiting for a neighbour, or no progress
    kLost,       // a neighbour that ended
    kFile,       // a checkpoint that could not be written
    kRefused,    // processes that do not agree, or do not come together
  };

  Kind kind = Kind::kDiverged;
  NodeId node = 0;
  /// Rounds completed when it was noticed.
  Round round = 0;
  /// What went wrong: "loss", "message", "consensus error".
  std::string quantity;
  std::string sentence;
};

/// As summaries of runs have it: "diverged", "lost".
[[nodiscard]] std::string_view name_of(Failure::Kind kind);

/// Of the failures of a run's nodes the one that the others follow from; nothing if there is none.
///
/// Nodes read from each other in a fixed order, and one that fails has sent all of its messages
/// before: each of the others comes to the same round whatever the network, fails there by itself,
/// or misses a message. So the set of failures is the same in every repetition, and so is the first
/// of them: in the earliest round, of the lowest node; one that only lost a neighbour is never the
/// first that failed.
[[nodiscard]] std::optional<Failure> first_cause(std::span<const std::optional<Failure>> failures);

/// Thrown inside a node to end the run.
class RunFailed : public std::runtime_error {
 public:
  explicit RunFailed(Failure reason) : std::runtime_error(reason.sentence), failure(reason) {}

  Failure failure;
};

}  // namespace gossamer
