#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/base/message.hpp"
#include "gossamer/base/time_spent.hpp"
#include "gossamer/member/failure.hpp"
#include "gossamer/watch/observatory.hpp"

namespace gossamer {

// What the processes of one run tell each other beside their algorithm, as asides. All processes
// are of one version: the bytes are nobody else's business.

enum class ProcessAside : std::uint8_t {
  kSighting = 1,  // to the first node: a model after a watched round
  kStop = 2,      // to those it talks to: stop before a round
  kSpans = 3,     // to the first node: where its time went
  kEnded = 4,     // to everybody: how it ended
  kVerdict = 5,   // from the first node to everybody: how the run ended
};

/// How a node or a run ended: well, if neither.
struct Ending {
  std::optional<Failure> failure = std::nullopt;
  std::optional<Round> stopped_after = std::nullopt;
};

/// A sighting with its numbers.
struct SightingCopy {
  Sighting sighting;
  FloatBuffer x;
  FloatBuffer statistics;
};

/// Nothing for an aside of somebody else.
[[nodiscard]] std::optional<ProcessAside> kind_of(const Message& aside);

[[nodiscard]] Message encode_sighting(const Sighting& sighting, CVec x, CVec statistics);
[[nodiscard]] Message encode_stop(Round line);
[[nodiscard]] Message encode_spans(std::span<const Span> spans);
[[nodiscard]] Message encode_ending(ProcessAside kind, const Ending& ending);

// Each throws CorruptMessage for what is not its own.
[[nodiscard]] SightingCopy decode_sighting(const Message& aside);
[[nodiscard]] Round decode_stop(const Message& aside);
[[nodiscard]] std::vector<Span> decode_spans(const Message& aside);
[[nodiscard]] Ending decode_ending(const Message& aside);

}  // namespace gossamer
