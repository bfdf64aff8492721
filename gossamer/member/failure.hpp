#pragma once

#include <stdexcept>
#include <string>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// How a run ended too early, and where.
struct Failure {
  enum class Kind {
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

/// Thrown inside a node to end the run.
class RunFailed : public std::runtime_error {
 public:
  explicit RunFailed(Failure reason) : std::runtime_error(reason.sentence), failure(reason) {}

  Failure failure;
};

}  // namespace gossamer
