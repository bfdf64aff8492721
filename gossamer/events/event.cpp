#include "gossamer/events/event.hpp"

#include <array>

namespace gossamer {

std::string_view name_of(EventKind kind) {
  constexpr std::array<std::string_view, kEventKindCount> kNames = {
      "round",         "measured",  "link-down", "link-up",      "caller-refused", "peer-lost",
      "peer-back",     "edge-lost", "edge-back", "join-refused", "join-failed",    "joined",
      "copy-repaired", "waiting",   "slow-peer", "checkpoint",   "began",          "spans",
      "warned",        "failed",    "ended"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view name_of(SlowPeer::Cause cause) {
  return cause == SlowPeer::Cause::kLink ? "link" : "computation";
}

}  // namespace gossamer
