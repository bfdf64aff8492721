#include "gossamer/network/registry.hpp"

#include <array>

#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

constexpr auto kWorlds = std::to_array<WorldInfo>({
#define GOSSAMER_WORLD(name, home, clock, options, summary) \
  {name, NodeHome::home, WorldClock::clock, options, summary},
#include "gossamer/network/registry.def"
#undef GOSSAMER_WORLD
});

}  // namespace

std::span<const WorldInfo> worlds() {
  return kWorlds;
}

Result<WorldInfo> find_world(std::string_view name) {
  const auto found = find_named("network", name, kWorlds, &WorldInfo::name);
  if (!found) return found.error();
  return *found.value();
}

}  // namespace gossamer
