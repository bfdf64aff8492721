#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/store/checkpoint.hpp"

namespace gossamer {

/// What a node says of itself before the first round.
struct Presence {
  /// All that must be equal everywhere, in a fixed order: settings, the model's layout, the digest
  /// of the first model.
  Identity settings;
  /// The rounds of which it has a checkpoint, whole; nothing if it does not go on with a run.
  std::optional<std::vector<Round>> saved = std::nullopt;
  /// The rounds that it has completed, of a node that is running and was cut off from the others.
  std::optional<Round> completed = std::nullopt;

  /// Of the settings.
  [[nodiscard]] std::uint64_t digest() const;

  void write(ByteWriter& out) const;
  /// Throws CorruptMessage.
  [[nodiscard]] static Presence read(ByteReader& in);

  bool operator==(const Presence&) const = default;
};

/// The first setting in which two nodes differ, as a sentence that names both; nothing if they
/// agree.
[[nodiscard]] std::optional<std::string> disagreement(NodeId one, const Presence& of_one,
                                                      NodeId other, const Presence& of_other);

/// Who begins a run that nobody is in, and after which round; nothing: from the first model.
struct Beginners {
  std::vector<NodeId> nodes;
  std::optional<Round> from;
};

/// Those who come with a model begin, and the others join them: of nodes that were cut off the one
/// that is farthest; of checkpoints the round that most have saved, of several the newest. If
/// nobody has any, all begin. An error: two disagree, or all go on with a run of which nothing is
/// left.
[[nodiscard]] Result<Beginners> who_begins(NodeId self,
                                           const std::map<NodeId, Presence>& everyones);

/// The newest round that all have saved.
[[nodiscard]] std::optional<Round> newest_common_round(std::span<const Presence> everyones);

}  // namespace gossamer
