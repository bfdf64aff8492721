#include "gossamer/wire/frame.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <xxhash.h>

#include <fmt/format.h>

namespace gossamer {
namespace {

// No text begins like this: 0x89 is outside ASCII and never starts a character in UTF-8.
constexpr std::array<std::uint8_t, 4> kMagic = {0x89, 'G', 'S', 'M'};

// Where each field starts; docs/wire_format.md has the same table.
enum Offset : std::size_t {
  kAtMagic = 0,
  kAtVersion = 4,
  kAtKind = 6,
  kAtReserved = 7,
  kAtSender = 8,
  kAtSetup = 12,
  kAtRound = 16,
  kAtSequence = 24,
  kAtPayloadSize = 32,
  kAtPayloadHash = 40,
  kAtHeaderHash = 48,
};

static_assert(kAtHeaderHash + sizeof(std::uint64_t) == kFrameHeaderSize);

template <typename T>
void put(HeaderBytes& bytes, Offset at, T number) {
  std::memcpy(bytes.data() + at, &number, sizeof(T));
}

template <typename T>
T get(ByteView header, Offset at) {
  T number{};
  std::memcpy(&number, header.data() + at, sizeof(T));
  return number;
}

// Covers the payload too, through the payload's hash.
std::uint64_t header_hash(ByteView header) {
  return XXH3_64bits(header.data(), kAtHeaderHash);
}

bool is_known(FrameKind kind) {
  switch (kind) {
    case FrameKind::kMessage:
    case FrameKind::kHello:
    case FrameKind::kGoodbye:
    case FrameKind::kAside:
    case FrameKind::kReceipt:
    case FrameKind::kHeartbeat:
      return true;
  }
  return false;
}

// Whether `header` was written by this version's rules and arrived whole. What its fields may say
// is accept_fields()'s business.
Result<void> accept_bytes(ByteView header) {
  if (!std::equal(kMagic.begin(), kMagic.end(), header.begin())) {
    return Error{"not a Gossamer frame: the first four bytes are not its mark"};
  }
  // Another version may lay out the rest differently: its hash and its fields mean nothing here.
  const auto version = get<std::uint16_t>(header, kAtVersion);
  if (version != kFrameVersion) {
    return Error{fmt::format("the frame has version {}, this program speaks version {}", version,
                             kFrameVersion)};
  }
  if (get<std::uint64_t>(header, kAtHeaderHash) != header_hash(header)) {
    return Error{"the frame's header was damaged on its way: its hash does not match"};
  }
  if (header[kAtReserved] != 0) {
    return Error{fmt::format("the frame's reserved byte is {}, not 0", header[kAtReserved])};
  }
  return {};
}

Result<void> accept_fields(const FrameHeader& header, const FrameLimits& limits) {
  if (!is_known(header.kind)) {
    return Error{fmt::format("the frame is of an unknown kind, {}", static_cast<int>(header.kind))};
  }
  if (header.payload.size > limits.max_payload) {
    return Error{fmt::format("node {} announces a payload of {} bytes, the limit is {}",
                             header.sender, header.payload.size, limits.max_payload)};
  }
  return {};
}

}  // namespace

PayloadSeal seal_payload(ByteView payload) {
  return {payload.size(), XXH3_64bits(payload.data(), payload.size())};
}

HeaderBytes encode_header(const FrameHeader& header) {
  HeaderBytes bytes{};
  std::copy(kMagic.begin(), kMagic.end(), bytes.begin() + kAtMagic);
  put(bytes, kAtVersion, kFrameVersion);
  put(bytes, kAtKind, header.kind);
  put(bytes, kAtSender, header.sender);
  put(bytes, kAtSetup, header.setup);
  put(bytes, kAtRound, header.round);
  put(bytes, kAtSequence, header.sequence);
  put(bytes, kAtPayloadSize, header.payload.size);
  put(bytes, kAtPayloadHash, header.payload.hash);
  put(bytes, kAtHeaderHash, header_hash(bytes));
  return bytes;
}

Result<FrameHeader> parse_header(ByteView bytes, const FrameLimits& limits) {
  if (bytes.size() < kFrameHeaderSize) {
    return Error{fmt::format("a frame starts with a header of {} bytes, and only {} are there",
                             kFrameHeaderSize, bytes.size())};
  }
  const ByteView raw = bytes.first(kFrameHeaderSize);
  if (const Result<void> accepted = accept_bytes(raw); !accepted) return accepted.error();

  const FrameHeader header{
      .kind = get<FrameKind>(raw, kAtKind),
      .sender = get<NodeId>(raw, kAtSender),
      .setup = get<std::uint32_t>(raw, kAtSetup),
      .round = get<Round>(raw, kAtRound),
      .sequence = get<std::uint64_t>(raw, kAtSequence),
      .payload = {.size = get<std::uint64_t>(raw, kAtPayloadSize),
                  .hash = get<std::uint64_t>(raw, kAtPayloadHash)},
  };
  if (const Result<void> accepted = accept_fields(header, limits); !accepted) {
    return accepted.error();
  }
  return header;
}

Result<void> check_payload(const FrameHeader& header, ByteView payload) {
  if (payload.size() != header.payload.size) {
    return Error{fmt::format("node {} announced a payload of {} bytes, and {} came", header.sender,
                             header.payload.size, payload.size())};
  }
  if (seal_payload(payload).hash != header.payload.hash) {
    return Error{
        fmt::format("the payload from node {} in round {} was damaged on its way: its hash "
                    "does not match",
                    header.sender, header.round)};
  }
  return {};
}

}  // namespace gossamer
