#pragma once

#include <span>
#include <string_view>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// Where the nodes of a run live.
enum class NodeHome {
  kSharedProcess,  // which ends as a whole or not at all
  kOwnProcess,     // one for each node: they are lost one by one
};

/// Whose time it is that Network::now() tells.
enum class WorldClock { kReal, kVirtual };

/// One world of registry.def: what Network is to a run, under the name that users give it.
struct WorldInfo {
  std::string_view name;
  NodeHome home = NodeHome::kSharedProcess;
  WorldClock clock = WorldClock::kReal;
  /// Settings that mean something in this world and not in all, with commas between them.
  std::string_view options;
  std::string_view summary;  // one sentence
};

/// All worlds there are, in the order in which users read about them.
[[nodiscard]] std::span<const WorldInfo> worlds();

[[nodiscard]] Result<WorldInfo> find_world(std::string_view name);

}  // namespace gossamer
