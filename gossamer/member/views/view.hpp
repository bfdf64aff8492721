#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/ids.hpp"

namespace gossamer {

/// One life of a node: a number that its process draws when it starts, and draws anew when it finds
/// that the others went on without it.
using Incarnation = std::uint64_t;

/// Who is part of a run, as its members have agreed. docs/membership.md.
struct View {
  /// 0: nobody has agreed on anything yet.
  std::uint64_t number = 0;
  std::map<NodeId, Incarnation> members;
  /// Those who have been gone for so long that their neighbours are connected instead.
  std::set<NodeId> bridged;
  /// Digest of what all must have been started with.
  std::uint64_t settings = 0;
  /// All members begin together in it. Nobody was running before.
  bool is_start = false;
  /// Of a start: the rounds that all have completed; nothing: from the first model.
  std::optional<Round> resumed_from;
  /// Digests of the views before, the newest last; the oldest are forgotten.
  std::vector<std::uint64_t> history;

  [[nodiscard]] bool has(NodeId node) const { return members.contains(node); }

  [[nodiscard]] bool has(NodeId node, Incarnation incarnation) const {
    const auto found = members.find(node);
    return found != members.end() && found->second == incarnation;
  }

  [[nodiscard]] std::uint64_t digest() const;

  /// Whether this one was agreed on by those who had that one.
  [[nodiscard]] bool follows(const View& other) const;

  /// An empty one that follows this one.
  [[nodiscard]] View next() const;

  void write(ByteWriter& out) const;
  /// Throws CorruptMessage.
  [[nodiscard]] static View read(ByteReader& in);

  bool operator==(const View&) const = default;
};

}  // namespace gossamer
