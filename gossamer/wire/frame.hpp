#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

/// What a frame is for. The values are on the wire: never renumber them. A frame of a kind that is
/// not listed is refused, so a new kind comes with a new version.
enum class FrameKind : std::uint8_t {
  kMessage = 1,    // what an algorithm sends
  kHello = 2,      // the first frame on a link
  kGoodbye = 3,    // the last one: its sender finished, and was not lost
  kAside = 4,      // what a run sends beside its algorithm
  kReceipt = 5,    // how many frames have arrived
  kHeartbeat = 6,  // nothing but a sign of life
};

/// Length and hash of a payload. Hashing is the only part of framing that reads the payload: one
/// seal serves every link of a broadcast, and each further header costs the same few nanoseconds
/// whatever the payload's size.
struct PayloadSeal {
  std::uint64_t size = 0;
  std::uint64_t hash = 0;

  bool operator==(const PayloadSeal&) const = default;
};

[[nodiscard]] PayloadSeal seal_payload(ByteView payload);

/// All that a frame says about its payload. docs/wire_format.md has the bytes.
struct FrameHeader {
  FrameKind kind = FrameKind::kMessage;
  NodeId sender = 0;

  /// Of a message: a digest of the settings that both ends must have in common. Replicas that
  /// decode the same bytes by different rules drift apart in silence; a receiver that compares this
  /// makes them fail. 0 in frames of other kinds, which all nodes understand.
  std::uint32_t setup = 0;

  Round round = 0;

  /// How many frames went this way on this link before this one. Each link counts for itself, in
  /// each direction, so a receiver sees a gap or a repetition at once.
  std::uint64_t sequence = 0;

  PayloadSeal payload;

  bool operator==(const FrameHeader&) const = default;
};

inline constexpr std::uint16_t kFrameVersion = 2;
inline constexpr std::size_t kFrameHeaderSize = 56;

using HeaderBytes = std::array<std::uint8_t, kFrameHeaderSize>;

/// The header as it travels. A broadcast sends these bytes and then the shared payload, with
/// another sequence number on each link; a transport that gathers (writev, TLS records) copies
/// nothing.
[[nodiscard]] HeaderBytes encode_header(const FrameHeader& header);

/// What a receiver takes from a peer. Anything else is refused.
struct FrameLimits {
  /// The longest payload in bytes. Checked before anything is allocated for it.
  std::uint64_t max_payload = 0;
};

/// Reads the header at the start of `bytes`, which may go on after it. A header proves itself: a
/// damaged length is noticed before anybody waits for the payload.
[[nodiscard]] Result<FrameHeader> parse_header(ByteView bytes, const FrameLimits& limits);

/// Whether `payload` is what the header announced.
[[nodiscard]] Result<void> check_payload(const FrameHeader& header, ByteView payload);

}  // namespace gossamer
