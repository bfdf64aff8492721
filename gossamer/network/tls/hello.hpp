#pragma once

#include <array>
#include <cstdint>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/result.hpp"

// The payloads of frames that links send for themselves; docs/wire_format.md has the bytes.
namespace gossamer::tls {

inline constexpr std::uint16_t kLinkVersion = 2;

/// What the two ends of a connection tell each other first.
struct Hello {
  std::uint8_t purpose = 0;
  /// Drawn when a node starts, and again when it gives its peer up: frames are numbered within it.
  std::uint64_t session = 0;
  /// The session of the other end that `next` belongs to; 0 if the sender knows none.
  std::uint64_t peer_session = 0;
  /// The number of the frame that the sender waits for.
  std::uint64_t next = 0;
  /// Of a caller: the number of its call, from 1; 0 in the answer.
  std::uint64_t call = 0;
  /// The number of the other end's last call that the sender took; belongs to `peer_session`, too.
  std::uint64_t taken = 0;

  bool operator==(const Hello&) const = default;
};

using HelloBytes = std::array<std::uint8_t, 44>;

[[nodiscard]] HelloBytes encode_hello(const Hello& hello);
[[nodiscard]] Result<Hello> parse_hello(ByteView payload);

/// The payload of a goodbye whose sender runs on, and parts from this peer alone.
inline constexpr std::array<std::uint8_t, 1> kParting = {1};

/// How far the sender has come.
struct Receipt {
  /// The number of the frame that it waits for: it has all before.
  std::uint64_t next = 0;
  /// The number of the last heartbeat that came on this connection; 0 if none did.
  std::uint64_t heartbeat = 0;

  bool operator==(const Receipt&) const = default;
};

using ReceiptBytes = std::array<std::uint8_t, 16>;

[[nodiscard]] ReceiptBytes encode_receipt(const Receipt& receipt);
[[nodiscard]] Result<Receipt> parse_receipt(ByteView payload);

}  // namespace gossamer::tls
