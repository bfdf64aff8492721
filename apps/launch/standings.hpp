#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gossamer/events/event.hpp"

namespace gossamer::cli {

/// How far one peer is, by its own events and what others tell of it.
struct Standing {
  std::optional<Began> began;
  Round round = 0;  // completed
  std::optional<double> loss;
  std::uint64_t bytes_sent = 0;
  std::string outcome;       // as Ended has it; empty: it did not say
  std::string failure;       // what it said of it
  std::set<NodeId> lost_to;  // those who lost it and have not got it back
};

/// How far all peers of a run are.
class Standings {
 public:
  explicit Standings(NodeId peers);

  void take(const Event& event);

  /// Its process has ended: nothing comes from it any more, and nobody is lost to it.
  void end(NodeId node);

  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(peers_.size()); }

  [[nodiscard]] const Standing& of(NodeId node) const { return peers_.at(node); }

  /// Those whose processes run.
  [[nodiscard]] const std::set<NodeId>& running() const { return running_; }

  /// Those that the run goes on with: they run, and nobody lost them. All that run, if each of them
  /// is lost to somebody: then nobody can say who is right.
  [[nodiscard]] const std::set<NodeId>& active() const { return active_; }

  /// Of those that have begun and are active; nothing if there is none.
  [[nodiscard]] const Standing* slowest() const;

 private:
  void find_active();

  std::vector<Standing> peers_;
  std::set<NodeId> running_;
  std::set<NodeId> active_;
};

}  // namespace gossamer::cli
