#pragma once

#include <optional>
#include <vector>

#include "gossamer/train/member_run.hpp"

namespace gossamer {

/// How the nodes of a world ended that is one process.
struct WorldEnd {
  std::vector<std::optional<Failure>> failures;  // by node
  /// A machine may stop when nobody waits for its nodes any more: one that was left behind.
  std::optional<NodeId> unfinished;
};

/// Runs the loop for every node of an experiment, in this process: in threads, or on a virtual
/// clock. An error means that the world could not be made. What a loop throws beside RunFailed ends
/// the world, and is thrown.
[[nodiscard]] Result<WorldEnd> run_world(const Experiment& experiment, const RunOptions& options,
                                         const Loop& loop);

}  // namespace gossamer
