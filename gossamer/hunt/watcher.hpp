#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gossamer/experiment/experiment.hpp"
#include "gossamer/member/member.hpp"

namespace gossamer {

/// What must not happen, and did.
struct Violation {
  /// Which promise: the same words for all that break it.
  std::string rule;
  /// Who, in which round, when.
  std::string sentence;
};

/// An edge as one end has it.
struct EdgeSight {
  NodeId peer = 0;
  float weight = 0.0f;
  std::uint64_t own = 0;   // what the peer must hold, and
  std::uint64_t copy = 0;  // what this node holds of it
};

/// A node that has just completed a round.
struct MemberSight {
  Round round = 0;  // rounds completed
  float self_weight = 1.0f;
  std::vector<EdgeSight> edges;
  std::vector<float> model;
};

[[nodiscard]] MemberSight look_at(Member& member);

/// Looks at all members of a hunted run each time that one of them has completed a round, and
/// compares what must be equal: weights at both ends of an edge, copies and what they copy, and how
/// the mean of all models moves. No node sees that much.
class Watcher {
 public:
  /// One process of a node, from its start to its end.
  struct Process {
    NodeId node = 0;
    std::uint64_t number = 0;  // from 1 on: unlike that of all others
    Time began{};
  };

  /// The experiment must outlive it.
  explicit Watcher(const Experiment& experiment);

  void see(const Process& process, Time now, MemberSight sight);

  /// Its model may have become another between two rounds.
  void note_joined(NodeId node) { ++joins_[node]; }

  /// What it sends may be wrong, and still be numbers: what others make of it is not compared.
  void note_hostile(NodeId node) { hostile_.insert(node); }

  /// Something happened to the link between the two: for a while they may see their edge
  /// differently.
  void note_trouble(NodeId a, NodeId b, Time now);

  /// Whether every node can reach every other one by way of others.
  void note_connected(bool is_connected, Time now);

  /// What only the whole run shows.
  void finish();

  [[nodiscard]] const std::vector<Violation>& violations() const { return violations_; }

  /// Of all that was seen: equal for equal runs.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }

 private:
  /// A node after a round.
  struct View {
    Process process;  // number 0: it was not seen
    std::uint64_t joins = 0;
    Time at{};
    MemberSight sight;
  };

  using Views = std::vector<View>;  // by node

  [[nodiscard]] static bool was_seen(const View& view) { return view.process.number != 0; }

  void check_row(const View& view);
  void check_edges(NodeId node, Round round, const Views& views);
  void compare(NodeId a, NodeId b, Round round, const Views& views);
  void check_mean(Round round, const Views& views);
  [[nodiscard]] std::vector<std::vector<NodeId>> parts_of(const Views& views) const;
  void violate(const std::string& rule, std::string sentence);
  void mix(std::uint64_t number);

  const Experiment& experiment_;
  NodeId size_;
  std::map<Round, Views> seen_;  // by completed rounds
  std::vector<std::uint64_t> joins_;
  std::set<NodeId> hostile_;
  std::vector<Time> trouble_;  // of (a, b)
  bool is_connected_ = true;
  Time connected_since_{};
  std::vector<std::unique_ptr<Objective>> objectives_;
  std::vector<Violation> violations_;
  std::set<std::string> broken_;
  std::uint64_t digest_ = 0;
};

}  // namespace gossamer
