#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gossamer/base/time.hpp"
#include "gossamer/member/presence.hpp"
#include "gossamer/member/views/agreement.hpp"
#include "gossamer/member/views/edge_news.hpp"
#include "gossamer/member/views/rumours.hpp"

namespace gossamer {

/// Who is part of the run, as one process knows it: the view, who asks to be let in, and who has
/// which edges. Decides when to propose another view. docs/membership.md.
class Assembly {
 public:
  enum class Status : std::uint8_t {
    kOutside,   // no view has this process
    kAdmitted,  // the view has it, and it has no round yet
    kRunning,
  };

  /// Somebody who asks to be let in.
  struct Candidate {
    Incarnation incarnation = 0;
    Presence presence;
    Time heard{};
  };

  struct Setup {
    NodeId self = 0;
    NodeId nodes = 0;
    OnPartition on_partition = OnPartition::kStop;
    /// For how long one who asks counts as there without asking again.
    Duration freshness = std::chrono::seconds(10);
    std::function<Time()> now;
    Rumours::Send send;
    /// Whether this process has a live edge to this member.
    std::function<bool(NodeId node)> knows_alive;
    /// The view is another one.
    std::function<void()> changed;
  };

  explicit Assembly(Setup setup);

  [[nodiscard]] const View& view() const { return view_; }

  [[nodiscard]] Incarnation incarnation() const { return rumours_.incarnation(); }

  [[nodiscard]] Status status() const;

  /// What this process says of itself.
  [[nodiscard]] const Presence& presence() const { return presence_; }

  [[nodiscard]] const std::map<NodeId, Candidate>& candidates() const { return candidates_; }

  [[nodiscard]] const EdgeNews& news() const { return news_; }

  void set_partners(std::vector<NodeId> partners) { rumours_.set_partners(std::move(partners)); }

  /// Begins a life outside, and asks to be let in until it is running.
  void ask_in(Incarnation incarnation, const Presence& presence);

  /// This process has a round, and these edges.
  void run_with(const std::map<NodeId, EdgeName>& edges);

  /// Whether this member is in the run, by its own word or because it was among those who began it.
  [[nodiscard]] bool is_running(NodeId node) const;

  /// Whether this member can be reached from here over edges that are there.
  [[nodiscard]] bool reaches(NodeId node) const;

  /// Spreads what only its origin can: a loss.
  void spread(RumourKind kind, const std::function<void(ByteWriter&)>& fill) {
    rumours_.spread(kind, fill);
  }

  /// The link to a partner was down, and is up again: tells it all that it may have missed.
  void partner_back(NodeId partner);

  /// An aside of kind kRumour or kView. What is for the owner of edges: a loss, or a first word of
  /// another life of a partner. Throws CorruptMessage.
  [[nodiscard]] std::optional<Rumour> hear(const Aside& aside);

  /// Does what is due. `doubted`: members that this process would go on without.
  void tick(const std::set<NodeId>& doubted);

  /// When to tick again.
  [[nodiscard]] Time due() const;

  /// Since when members have tried in vain to agree on a view; nothing if nobody tries.
  [[nodiscard]] std::optional<Time> pending_since() const;

  /// In which setting a candidate differs, as a sentence; nothing if it may come in.
  [[nodiscard]] std::optional<std::string> objection(NodeId node) const;

  /// Whether all nodes ask to be let in.
  [[nodiscard]] bool nobody_runs() const;

  /// Nodes that are neither members nor ask to be let in.
  [[nodiscard]] std::vector<NodeId> missing() const;

 private:
  void adopt(const View& view);
  void hear_candidacy(const Rumour& rumour);
  void tell_candidacy();
  void tell_all(NodeId partner);
  void tell_news();
  [[nodiscard]] bool is_fresh(const Candidate& candidate) const;
  [[nodiscard]] std::optional<View> wish(const std::set<NodeId>& doubted) const;
  [[nodiscard]] std::optional<View> start() const;
  [[nodiscard]] Duration pause() const;

  Setup setup_;
  Rumours rumours_;
  EdgeNews news_;
  Agreement agreement_;
  View view_;
  Presence presence_;
  bool is_running_ = false;
  std::map<NodeId, EdgeName> edges_;  // of this process
  std::map<NodeId, Candidate> candidates_;
  std::map<NodeId, Incarnation> beginners_;  // of the last start
  Time next_candidacy_ = Time::max();

  // Of this process's own attempts to have another view.
  std::optional<View> wish_;
  std::uint32_t attempts_ = 0;
  Time next_attempt_ = Time::max();
  std::optional<Time> pending_since_;
  Time pending_until_{};
};

}  // namespace gossamer
