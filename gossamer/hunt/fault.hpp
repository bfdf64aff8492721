#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/base/time.hpp"

namespace gossamer {

/// One thing that goes wrong, or is put right again. What makes no sense when its time comes, such
/// as a restart of one that runs, does nothing: a schedule stays one when some of it is left out.
struct Fault {
  enum class Kind : std::uint8_t {
    kKill,
    kStop,                  // Ctrl-C
    kRestart,               // with its checkpoints, if it has any
    kRestartEmptyHanded,    // without them
    kRestartTorn,           // with them, but it was killed while it wrote the newest
    kRestartOtherSettings,  // with another learning rate
    kPause,
    kResume,
    kCut,  // nothing goes from node to other
    kHeal,
    kSlow,     // what goes from node to other takes long
    kFast,     // and no longer
    kPart,     // nothing goes between these nodes and the rest
    kUnite,    // and now it does
    kHostile,  // node sends other what no member sends
  };

  Kind kind = Kind::kKill;
  Time at{};
  NodeId node = 0;
  NodeId other = 0;
  /// Of kPart and kUnite.
  std::vector<NodeId> part = {};
  /// Of kHostile: decides the bytes.
  std::uint64_t seed = 0;

  bool operator==(const Fault&) const = default;
};

/// What puts an end to a fault of this kind, if something does.
[[nodiscard]] std::optional<Fault::Kind> end_of(Fault::Kind kind);

/// Which faults a hunt may draw.
enum class Family : std::uint8_t {
  kKills,       // kills, and restarts with and without checkpoints
  kSettings,    // restarts with other settings
  kStops,       // Ctrl-C of one or all, and going on
  kPauses,      // for less than the deadline
  kLongPauses,  // and for more
  kCuts,        // of one link, one way or both, for less and for more than the deadline
  kSlow,        // links whose messages take long
  kParts,       // a few nodes are cut off from the rest, which is more than half
  kHalves,      // the nodes fall into halves
  kHostile,     // messages that no member sends
};

struct FamilyEntry {
  Family family;
  std::string_view name;
  std::string_view summary;
  /// Whether hunts have it unless they are told otherwise.
  bool is_usual;
};

/// All families, in the order of the enum.
[[nodiscard]] std::span<const FamilyEntry> families();

/// "kills,cuts": those families; "all": all of them; "": the usual ones.
[[nodiscard]] Result<std::vector<Family>> read_families(std::string_view text);

/// "12.300 kill 2".
[[nodiscard]] std::string text_of(const Fault& fault);

/// The other way round.
[[nodiscard]] Result<Fault> read_fault(std::string_view line);

}  // namespace gossamer
