#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "gossamer/member/views/rumours.hpp"
#include "gossamer/member/views/view.hpp"

namespace gossamer {

/// What becomes of a run whose nodes are in parts that do not reach each other.
enum class OnPartition : std::uint8_t {
  kStop,  // only a part with more than half of the last members goes on
  kGoOn,  // all parts do; when they meet again they join part by part
};

/// An attempt to agree. Later ones are larger.
struct Ballot {
  std::uint32_t counter = 0;
  NodeId node = 0;

  auto operator<=>(const Ballot&) const = default;
};

/// The agreement on the next view: Paxos, one after the other. docs/membership.md says whose votes
/// it takes, and why there are never two. Knows no clock and no network: whoever owns it tells it
/// what was heard, and when to try.
class Agreement {
 public:
  struct Setup {
    NodeId self = 0;
    NodeId nodes = 0;
    OnPartition on_partition = OnPartition::kStop;
    /// To everybody else.
    std::function<void(RumourKind kind, const std::function<void(ByteWriter&)>& fill)> spread;
    /// Whether this process has a live edge to this member; of itself, whether it is running.
    std::function<bool(NodeId node)> knows_alive;
    /// A view was agreed on, here or elsewhere.
    std::function<void(const View& view)> decided;
  };

  explicit Agreement(Setup setup) : setup_(std::move(setup)) {}

  /// This process begins another life: it has promised nothing.
  void live_as(Incarnation incarnation);

  /// The view that the next one follows.
  void set_view(const View& view, Ballot ballot);

  /// Tries to make `wish` the next view, in a ballot above all that were heard of.
  void propose(const View& wish);

  /// A rumour of kind kPrepare to kDecided. Throws CorruptMessage.
  void hear(const Rumour& rumour);

  /// What kDecided says, for one process that may not know.
  void write_decided(ByteWriter& out) const;

  void hear_decided(ByteReader in);

 private:
  struct Accepted {
    Ballot ballot;
    View view;
  };

  struct Vote {
    Incarnation incarnation = 0;
    std::optional<Accepted> accepted = std::nullopt;
  };

  /// This process's own attempt.
  struct Attempt {
    Ballot ballot;
    View value;
    bool is_second_phase = false;
    std::map<NodeId, Vote> votes;
  };

  void hear_prepare(const Rumour& rumour);
  void hear_promise(const Rumour& rumour);
  void hear_accept(const Rumour& rumour);
  void hear_accepted(const Rumour& rumour);
  void take_promise(NodeId node, Vote vote);
  void take_acceptance(NodeId node, Incarnation incarnation);
  /// Whether this process takes part in the agreement on that number.
  [[nodiscard]] bool takes_part(std::uint64_t number);
  void ask_for(std::uint64_t number);
  [[nodiscard]] bool is_newer(const View& view) const;
  [[nodiscard]] bool may_be_decided(const Accepted& accepted) const;
  [[nodiscard]] bool is_quorum(const Attempt& attempt) const;

  Setup setup_;
  Incarnation incarnation_ = 0;
  View view_;
  Ballot view_ballot_;

  // As one that is asked.
  std::uint64_t number_ = 1;  // of the view that it is asked for
  Ballot promised_;
  std::optional<Accepted> accepted_;
  std::uint32_t highest_ = 0;  // counter of ballots heard of

  std::optional<Attempt> attempt_;
};

}  // namespace gossamer
