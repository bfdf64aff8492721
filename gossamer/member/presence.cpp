#include "gossamer/member/presence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/wire/digest.hpp"

namespace gossamer {

std::uint64_t Presence::digest() const {
  ByteWriter out;
  for (const auto& [key, value] : settings) {
    out.write_text(key);
    out.write_text(value);
  }
  return digest_of(out.bytes());
}

void Presence::write(ByteWriter& out) const {
  out.write(static_cast<std::uint32_t>(settings.size()));
  for (const auto& [key, value] : settings) {
    out.write_text(key);
    out.write_text(value);
  }
  out.write(static_cast<std::uint8_t>(completed ? 1 : 0));
  out.write(completed.value_or(0));
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
  const bool is_cut_off = in.read<std::uint8_t>() != 0;
  const auto completed = in.read<Round>();
  if (is_cut_off) presence.completed = completed;
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

Result<Beginners> who_begins(NodeId self, const std::map<NodeId, Presence>& everyones) {
  const Presence& own = everyones.at(self);
  Beginners beginners;
  std::map<Round, std::vector<NodeId>> holders;
  std::size_t resume = 0;
  for (const auto& [node, presence] : everyones) {
    // Some may come with a checkpoint, and some without.
    Presence as_theirs = own;
    as_theirs.saved = presence.saved;
    if (const auto reason = disagreement(self, as_theirs, node, presence)) return Error{*reason};
    resume += presence.saved ? 1 : 0;
    for (const Round round : presence.saved.value_or(std::vector<Round>()))
      holders[round].push_back(node);
    const bool is_farther =
        presence.completed && (!beginners.from || *beginners.from < *presence.completed);
    if (is_farther) beginners = {{node}, presence.completed};
  }
  if (beginners.from) return beginners;
  for (const auto& [round, nodes] : holders) {
    if (nodes.size() >= beginners.nodes.size()) beginners = {nodes, round};
  }
  if (beginners.from) return beginners;
  if (resume == everyones.size())
    return Error{"there is no round of which every node has a whole checkpoint"};
  for (const auto& [node, presence] : everyones)
    beginners.nodes.push_back(node);
  return beginners;
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
