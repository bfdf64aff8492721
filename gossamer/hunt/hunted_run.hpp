#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/events/event.hpp"
#include "gossamer/hunt/fault_world.hpp"
#include "gossamer/member/failure.hpp"

namespace gossamer {

/// One thing that goes wrong, or is put right again.
struct Fault {
  enum class Kind : std::uint8_t {
    kKill,
    kRestart,               // with its checkpoints, if it has any
    kRestartEmptyHanded,    // without them
    kRestartOtherSettings,  // with another learning rate
    kPause,
    kResume,
    kCut,  // nothing goes from node to other
    kHeal,
  };

  Kind kind = Kind::kKill;
  Time at{};
  NodeId node = 0;
  NodeId other = 0;

  bool operator==(const Fault&) const = default;
};

/// "12.3 s: kill 2", a line for each.
[[nodiscard]] std::string text_of(const std::vector<Fault>& faults);

/// What is run, and what goes wrong meanwhile.
struct Hunt {
  NodeId nodes = 6;
  std::string topology = "ring";
  /// One that can lose neighbours.
  std::string algorithm;
  std::string compressor = "identity";
  Round rounds = 300;
  /// Of a step, in virtual time.
  Duration compute = std::chrono::milliseconds(100);
  /// Of links, delays and gradients.
  std::uint64_t seed = 0;
  std::vector<Fault> faults = {};
};

/// One process of a hunted run, and what became of it.
struct Life {
  NodeId node = 0;
  Fault::Kind began = Fault::Kind::kRestartEmptyHanded;
  bool was_killed = false;
  bool has_ended = false;
  std::optional<Failure> failure;
  /// The mean of all models, if it came to the end of the run.
  std::vector<float> model;
};

/// How a hunted run went.
struct HuntReport {
  FaultWorld::End end = FaultWorld::End::kAllEnded;
  std::vector<Life> lives;   // in the order in which they began
  std::vector<Event> story;  // what happened to all of them
  /// What must not happen, as sentences.
  std::vector<std::string> violations;
};

/// Runs it with the real members, algorithms, upkeep and checkpoints, and judges how it went. An
/// error: it could not begin.
[[nodiscard]] Result<HuntReport> run_hunt(const Hunt& hunt);

}  // namespace gossamer
