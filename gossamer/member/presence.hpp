#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/store/checkpoint.hpp"

namespace gossamer {

/// What a node says of itself before the first round.
struct Presence {
  /// All that must be equal everywhere, in a fixed order: settings, the model's layout, the digest
  /// of the first model.
  Identity settings;
  /// The rounds of which it has a checkpoint, whole; nothing if it does not go on with a run.
  std::optional<std::vector<Round>> saved = std::nullopt;

  void write(ByteWriter& out) const;
  /// Throws CorruptMessage.
  [[nodiscard]] static Presence read(ByteReader& in);

  bool operator==(const Presence&) const = default;
};

/// The first setting in which two nodes differ, as a sentence that names both; nothing if they
/// agree.
[[nodiscard]] std::optional<std::string> disagreement(NodeId one, const Presence& of_one,
                                                      NodeId other, const Presence& of_other);

/// The newest round that all have saved.
[[nodiscard]] std::optional<Round> newest_common_round(std::span<const Presence> everyones);

}  // namespace gossamer
