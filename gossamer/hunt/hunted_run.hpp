#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/events/event.hpp"
#include "gossamer/hunt/hunt.hpp"
#include "gossamer/hunt/watcher.hpp"
#include "gossamer/hunt/world/fault_world.hpp"
#include "gossamer/member/failure.hpp"

namespace gossamer {

/// One process of a hunted run, and what became of it.
struct Life {
  NodeId node = 0;
  Fault::Kind began = Fault::Kind::kRestartEmptyHanded;
  Time began_at{};
  bool was_killed = false;
  bool was_stopped = false;  // by Ctrl-C
  bool has_ended = false;
  Time ended_at{};
  std::optional<Failure> failure;
  /// What it threw that nobody caught: a bug.
  std::optional<std::string> crash;
  /// Rounds completed, and when the last of them was.
  Round round = 0;
  Time progress_at{};
  /// The mean of all models, if it came to the end of the run.
  std::vector<float> model;

  [[nodiscard]] bool has_finished() const {
    return has_ended && !failure && !crash && !was_stopped;
  }
};

/// How a hunted run went.
struct HuntReport {
  FaultWorld::End end = FaultWorld::End::kAllEnded;
  std::vector<Life> lives;   // in the order in which they began
  std::vector<Event> story;  // what happened to all of them
  std::vector<Violation> violations;
  /// Equal for equal runs.
  std::uint64_t digest = 0;
};

/// Runs it with the real members, algorithms, upkeep and checkpoints, and judges how it went. An
/// error: it could not begin.
[[nodiscard]] Result<HuntReport> run_hunt(const Hunt& hunt);

}  // namespace gossamer
