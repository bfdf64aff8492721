#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gossamer/member/edges/audits.hpp"
#include "gossamer/member/edges/joins.hpp"

namespace gossamer {

/// What a node does for its edges between two rounds: audits, and joins where the run goes on
/// without lost nodes. Both wait for asides, and each may be sent some that are for the other.
class Upkeep {
 public:
  struct Setup {
    NodeHost& host;
    Algorithm& algorithm;
    /// Rounds between two audits; 0: none.
    Round audit_every;
    /// For how long a neighbour may keep an exchange waiting.
    Duration patience;
    /// How many rounds the run has.
    Round rounds;
    /// The model and what belongs to it, for a node that comes empty-handed.
    ShowState show_model;
  };

  explicit Upkeep(const Setup& setup);

  Upkeep(const Upkeep&) = delete;
  Upkeep& operator=(const Upkeep&) = delete;

  /// Before each round. Throws NeighbourLost and RunEnded.
  void between_rounds();

  /// Joins::join().
  [[nodiscard]] bool join(Joins::Hands hands, Time deadline, const std::function<void()>& taken_in);

  /// An aside that arrives: whether it was taken, because it cannot wait for the end of the round.
  [[nodiscard]] bool hear_in_round(const Aside& aside);

  /// An aside that comes between rounds.
  void hear(const Aside& aside);

  /// Hears the next one. False: none came before the deadline.
  [[nodiscard]] bool hear_next(Time deadline);

  [[nodiscard]] std::uint64_t joins() const { return joins_ ? joins_->count() : 0; }

  [[nodiscard]] std::uint64_t repairs() const { return audits_.repairs(); }

 private:
  void wait_for_majority();

  NodeHost& host_;
  bool is_between_rounds_ = false;
  Audits audits_;
  std::optional<Joins> joins_;
};

}  // namespace gossamer
