#include "gossamer/hunt/fault.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

using Kind = Fault::Kind;

/// What stands behind a fault's name.
enum class Form : std::uint8_t { kNode, kWay, kPart, kBytes };

struct KindEntry {
  Kind kind;
  std::string_view name;
  Form form;
};

constexpr std::array kKinds = {
    KindEntry{Kind::kKill, "kill", Form::kNode},
    KindEntry{Kind::kStop, "stop", Form::kNode},
    KindEntry{Kind::kRestart, "restart", Form::kNode},
    KindEntry{Kind::kRestartEmptyHanded, "restart-empty-handed", Form::kNode},
    KindEntry{Kind::kRestartTorn, "restart-torn", Form::kNode},
    KindEntry{Kind::kRestartOtherSettings, "restart-other-settings", Form::kNode},
    KindEntry{Kind::kPause, "pause", Form::kNode},
    KindEntry{Kind::kResume, "resume", Form::kNode},
    KindEntry{Kind::kCut, "cut", Form::kWay},
    KindEntry{Kind::kHeal, "heal", Form::kWay},
    KindEntry{Kind::kSlow, "slow", Form::kWay},
    KindEntry{Kind::kFast, "fast", Form::kWay},
    KindEntry{Kind::kPart, "part", Form::kPart},
    KindEntry{Kind::kUnite, "unite", Form::kPart},
    KindEntry{Kind::kHostile, "hostile", Form::kBytes},
};

constexpr std::array kFamilies = {
    FamilyEntry{Family::kKills, "kills", "kills, and restarts with and without checkpoints", true},
    FamilyEntry{Family::kSettings, "settings", "restarts with another learning rate", true},
    FamilyEntry{Family::kStops, "stops", "Ctrl-C of one or of all, who go on later", true},
    FamilyEntry{Family::kPauses, "pauses", "nodes that stand still for less than the deadline",
                true},
    FamilyEntry{Family::kLongPauses, "long-pauses", "and for more", true},
    FamilyEntry{Family::kCuts, "cuts",
                "links that are cut, one way or both, for less or more than the deadline", true},
    FamilyEntry{Family::kSlow, "slow", "links whose messages take long", true},
    FamilyEntry{Family::kParts, "parts", "less than half of the nodes are cut off from the rest",
                true},
    FamilyEntry{Family::kHalves, "halves", "the nodes fall into halves", true},
    FamilyEntry{Family::kHostile, "hostile", "messages that no member sends", false},
};

template <typename Number>
Result<Number> number_in(std::string_view word, std::string_view line) {
  const auto number = parse_number<Number>(word);
  if (number) return *number;
  return Error{fmt::format("'{}' is no number, in '{}'", word, line)};
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace

std::optional<Fault::Kind> end_of(Fault::Kind kind) {
  switch (kind) {
    case Kind::kPause:
      return Kind::kResume;
    case Kind::kCut:
      return Kind::kHeal;
    case Kind::kSlow:
      return Kind::kFast;
    case Kind::kPart:
      return Kind::kUnite;
    default:
      return std::nullopt;
  }
}

std::span<const FamilyEntry> families() {
  return kFamilies;
}

Result<std::vector<Family>> read_families(std::string_view text) {
  std::vector<Family> chosen;
  for (const FamilyEntry& entry : kFamilies) {
    if (text == "all" || (text.empty() && entry.is_usual)) chosen.push_back(entry.family);
  }
  if (!chosen.empty()) return chosen;
  for (const std::string_view name : split(text, ',')) {
    const auto found = find_named("family of faults", name, kFamilies,
                                  [](const FamilyEntry& entry) { return std::string(entry.name); });
    if (!found) return found.error();
    chosen.push_back(found.value()->family);
  }
  if (chosen.empty()) return Error{"name at least one family of faults"};
  return chosen;
}

std::string text_of(const Fault& fault) {
  const KindEntry& entry = *std::ranges::find(kKinds, fault.kind, &KindEntry::kind);
  const std::string begin =
      fmt::format("{:.3f} {}", seconds(fault.at.time_since_epoch()), entry.name);
  switch (entry.form) {
    case Form::kNode:
      return fmt::format("{} {}", begin, fault.node);
    case Form::kWay:
      return fmt::format("{} {} {}", begin, fault.node, fault.other);
    case Form::kPart:
      return fmt::format("{} {}", begin, fmt::join(fault.part, " "));
    case Form::kBytes:
      return fmt::format("{} {} {} {}", begin, fault.node, fault.other, fault.seed);
  }
  return begin;
}

Result<Fault> read_fault(std::string_view line) {
  const std::vector<std::string_view> words = split(line, ' ');
  const Error malformed{fmt::format(
      "'{}' is no fault; one is a time in seconds, a name and nodes: 12.3 kill 2", line)};
  if (words.size() < 3) return malformed;
  const auto found = find_named("fault", words[1], kKinds,
                                [](const KindEntry& entry) { return std::string(entry.name); });
  if (!found) return found.error();
  const Result<double> at = number_in<double>(words[0], line);
  if (!at) return at.error();
  Fault fault{.kind = found.value()->kind, .at = Time{} + from_seconds(at.value())};
  std::vector<std::uint64_t> numbers;
  for (std::size_t k = 2; k < words.size(); ++k) {
    const Result<std::uint64_t> number = number_in<std::uint64_t>(words[k], line);
    if (!number) return number.error();
    numbers.push_back(number.value());
  }
  const Form form = found.value()->form;
  if (form == Form::kPart) {
    for (const std::uint64_t number : numbers)
      fault.part.push_back(static_cast<NodeId>(number));
    return fault;
  }
  const std::size_t wanted = form == Form::kNode ? 1 : form == Form::kWay ? 2 : 3;
  if (numbers.size() != wanted) return malformed;
  fault.node = static_cast<NodeId>(numbers[0]);
  if (wanted > 1) fault.other = static_cast<NodeId>(numbers[1]);
  if (wanted > 2) fault.seed = numbers[2];
  return fault;
}

}  // namespace gossamer
