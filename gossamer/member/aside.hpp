#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/base/message.hpp"

namespace gossamer {

/// What runs tell each other beside the algorithm: the first byte of an aside. The values are on
/// the wire: never renumber them.
enum class AsideKind : std::uint8_t {
  kPeerBack = 0,  // never sent: a peer that was lost can be reached again
  kRollCall = 1,  // who is there, with which settings
  kFarewell = 2,  // the run ends, and why
  kRefusal = 5,   // why a peer cannot join
  kOffer = 6,     // a round in which to make an edge
  kAcceptance = 7,
  kCopy = 8,       // what makes the other end's copy whole
  kAudit = 9,      // the digest that the other end's copy must have
  kVerdict = 10,   // whether it has
  kRepair = 11,    // what it should have been
  kMeanSum = 12,   // the sum of a part of all models
  kMean = 13,      // the mean of all
  kEnded = 14,     // how nodes ended that failed, the sender among them
  kRumour = 15,    // what everybody is to know
  kView = 16,      // who is part of the run
  kNoEdge = 17,    // an edge that was to be made is not
  kPace = 18,      // how the sender spends its time
  kPeerGone = 255  // never sent: a peer was lost
};

struct Aside {
  AsideKind kind = AsideKind::kPeerBack;
  NodeId from = 0;
  /// The sender's.
  Round round = 0;
  Message message;

  /// What follows the kind.
  [[nodiscard]] ByteReader reader() const {
    return ByteReader(message.payload().subspan(sizeof(AsideKind)));
  }
};

/// An aside of what `fill(ByteWriter&)` writes.
template <typename Fill>
[[nodiscard]] Message make_aside(AsideKind kind, const Fill& fill) {
  ByteWriter out = Message::writer();
  out.write(static_cast<std::uint8_t>(kind));
  fill(out);
  return Message(std::move(out));
}

}  // namespace gossamer
