#include "gossamer/member/presence.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace gossamer {

void Presence::write(ByteWriter& out) const {
  out.write(static_cast<std::uint32_t>(settings.size()));
  for (const auto& [key, value] : settings) {
    out.write_text(key);
    out.write_text(value);
  }
  out.write(static_cast<std::uint8_t>(saved ? 1 : 0));
  if (!saved) return;
  out.write(static_cast<std::uint32_t>(saved->size()));
  for (const Round round : *saved)
    out.write(round);
}

Presence Presence::read(ByteReader& in) {
  Presence presence;
  for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
    std::string key = in.read_text();
    presence.settings.emplace_back(std::move(key), in.read_text());
  }
  if (in.read<std::uint8_t>() == 0) return presence;
  presence.saved.emplace();
  for (auto left = in.read<std::uint32_t>(); left > 0; --left)
    presence.saved->push_back(in.read<Round>());
  return presence;
}

std::optional<std::string> disagreement(NodeId one, const Presence& of_one, NodeId other,
                                        const Presence& of_other) {
  const Identity& a = of_one.settings;
  const Identity& b = of_other.settings;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == b[i]) continue;
    if (a[i].first != b[i].first) break;
    return fmt::format(
        "node {} and node {} do not agree: {} is '{}' there and '{}' here; all nodes "
        "must be started with the same settings",
        other, one, a[i].first, b[i].second, a[i].second);
  }
  if (a != b) {
    return fmt::format("node {} and node {} do not agree: they are of different versions", other,
                       one);
  }
  if (of_one.saved.has_value() != of_other.saved.has_value()) {
    return fmt::format(
        "node {} {} a run, and node {} does not; start all nodes with --resume, or "
        "none",
        of_one.saved ? one : other, "goes on with", of_one.saved ? other : one);
  }
  return std::nullopt;
}

std::optional<Round> newest_common_round(std::span<const Presence> everyones) {
  if (everyones.empty() || !everyones.front().saved) return std::nullopt;
  std::vector<Round> candidates = *everyones.front().saved;
  std::ranges::sort(candidates, std::greater<>());
  for (const Round round : candidates) {
    const bool has_all = std::ranges::all_of(everyones, [round](const Presence& presence) {
      return presence.saved && std::ranges::count(*presence.saved, round) > 0;
    });
    if (has_all) return round;
  }
  return std::nullopt;
}

}  // namespace gossamer
