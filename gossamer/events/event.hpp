#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/time.hpp"
#include "gossamer/base/time_spent.hpp"
#include "gossamer/events/measurement.hpp"

namespace gossamer {

// What can happen in a run: a struct of plain data for each kind. docs/events.md has a table of
// them. A reason is half a sentence: "it was silent for 10 s". It may quote what somebody else
// sent: sentence_of() makes it fit for a terminal.

/// A node has completed a round.
struct RoundDone {
  std::optional<double> loss;  // of its batch
  std::uint64_t bytes_sent = 0;

  bool operator==(const RoundDone&) const = default;
};

/// The models were looked at.
struct Measured {
  Measurement measurement;

  bool operator==(const Measured&) const = default;
};

/// A connection is gone; its peer is not lost yet.
struct LinkDown {
  NodeId peer = 0;
  std::string reason;

  bool operator==(const LinkDown&) const = default;
};

/// The connection is there again, before its peer was lost.
struct LinkUp {
  NodeId peer = 0;
  double seconds_down = 0.0;

  bool operator==(const LinkUp&) const = default;
};

/// Somebody called who is no peer, or a peer sent what it must not.
struct CallerRefused {
  std::string address;
  std::string reason;
  std::uint64_t left_out = 0;  // refusals since the last such event that are not told

  bool operator==(const CallerRefused&) const = default;
};

/// Nothing comes from this peer any more, unless it comes back.
struct PeerLost {
  NodeId peer = 0;
  std::string reason;

  bool operator==(const PeerLost&) const = default;
};

/// A peer that was lost can be talked to again.
struct PeerBack {
  NodeId peer = 0;

  bool operator==(const PeerBack&) const = default;
};

/// This node's edge leaves the mixing matrix, from this round on.
struct EdgeLost {
  NodeId peer = 0;
  std::string reason;

  bool operator==(const EdgeLost&) const = default;
};

/// It is part of the mixing matrix again, from this round on.
struct EdgeBack {
  NodeId peer = 0;

  bool operator==(const EdgeBack&) const = default;
};

/// This node does not take in a peer that has started again.
struct JoinRefused {
  NodeId peer = 0;
  std::string reason;  // a whole sentence

  bool operator==(const JoinRefused&) const = default;
};

/// An edge was to come back, and did not.
struct JoinFailed {
  NodeId peer = 0;
  std::string reason;

  bool operator==(const JoinFailed&) const = default;
};

/// This node takes part in a run that was under way.
struct Joined {
  std::optional<Round> checkpoint;  // its own that it came with; nothing: a neighbour's model

  bool operator==(const Joined&) const = default;
};

/// An audit found that this node held something else of a peer than it should.
struct CopyRepaired {
  NodeId peer = 0;

  bool operator==(const CopyRepaired&) const = default;
};

/// Before the first round: this node waits for others.
struct Waiting {
  /// Somebody who is not there yet.
  struct Awaited {
    NodeId peer = 0;
    std::string reason;  // why it is not there, as far as this node knows

    bool operator==(const Awaited&) const = default;
  };

  std::vector<Awaited> peers;
  double seconds = 0.0;  // so far

  bool operator==(const Waiting&) const = default;
};

/// All wait for one peer, and this node knows why.
struct SlowPeer {
  /// What takes long.
  enum class Cause : std::uint8_t {
    kLink,         // its messages take long
    kComputation,  // it takes long to make them
  };

  NodeId peer = 0;
  /// The other end, if only the link between these two is slow.
  std::optional<NodeId> other;
  Cause cause = Cause::kLink;
  double share = 0.0;  // of its time that this node waits for it, or is waited for

  bool operator==(const SlowPeer&) const = default;
};

/// A node has saved its state.
struct CheckpointSaved {
  std::uint64_t bytes = 0;
  double seconds = 0.0;

  bool operator==(const CheckpointSaved&) const = default;
};

/// A node begins with its first round in this process.
struct Began {
  NodeId nodes = 0;
  Round rounds = 0;
  Round from = 0;          // rounds completed before
  double unix_time = 0.0;  // seconds since 1970, where the clock of events has 0

  bool operator==(const Began&) const = default;
};

/// Where a node's time went, for traces.
struct Spans {
  std::vector<Span> spans;

  bool operator==(const Spans&) const = default;
};

/// Something speaks against what is run, and it runs all the same.
struct Warned {
  std::string text;

  bool operator==(const Warned&) const = default;
};

/// Why a run ended too early.
struct Failed {
  std::string kind;
  std::string quantity;
  std::string sentence;
  std::string remedy;  // empty: nobody knows one

  bool operator==(const Failed&) const = default;
};

/// The last event of a node.
struct Ended {
  std::string outcome;  // "finished", "stopped", or the kind of a failure

  bool operator==(const Ended&) const = default;
};

/// All of them.
using What = std::variant<RoundDone, Measured, LinkDown, LinkUp, CallerRefused, PeerLost, PeerBack,
                          EdgeLost, EdgeBack, JoinRefused, JoinFailed, Joined, CopyRepaired,
                          Waiting, SlowPeer, CheckpointSaved, Began, Spans, Warned, Failed, Ended>;

/// In the order of What.
enum class EventKind : std::uint8_t {
  kRoundDone,
  kMeasured,
  kLinkDown,
  kLinkUp,
  kCallerRefused,
  kPeerLost,
  kPeerBack,
  kEdgeLost,
  kEdgeBack,
  kJoinRefused,
  kJoinFailed,
  kJoined,
  kCopyRepaired,
  kWaiting,
  kSlowPeer,
  kCheckpointSaved,
  kBegan,
  kSpans,
  kWarned,
  kFailed,
  kEnded,
};

/// How many kinds there are.
inline constexpr std::size_t kEventKindCount = std::variant_size_v<What>;
static_assert(static_cast<std::size_t>(EventKind::kEnded) + 1 == kEventKindCount);

/// As files have it: "round", "link-down", ...
[[nodiscard]] std::string_view name_of(EventKind kind);

/// "link" or "computation".
[[nodiscard]] std::string_view name_of(SlowPeer::Cause cause);

/// One thing that happened, at one node.
struct Event {
  NodeId node = 0;
  /// Rounds that the node had completed.
  Round round = 0;
  /// By the network's clock, real or virtual: Began has the time of day where it has 0.
  Time time{};
  What what;

  [[nodiscard]] EventKind kind() const { return static_cast<EventKind>(what.index()); }

  bool operator==(const Event&) const = default;
};

/// The kind of a struct of What.
template <typename Happening>
[[nodiscard]] constexpr EventKind kind_of() {
  constexpr auto kIndex = []<std::size_t... I>(std::index_sequence<I...>) {
    return ((std::is_same_v<Happening, std::variant_alternative_t<I, What>> ? I : 0) + ...);
  }
  (std::make_index_sequence<kEventKindCount>());
  static_assert(std::is_same_v<Happening, std::variant_alternative_t<kIndex, What>>,
                "one of the kinds of events");
  return static_cast<EventKind>(kIndex);
}

}  // namespace gossamer
