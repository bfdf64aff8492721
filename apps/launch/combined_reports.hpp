#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "apps/console/report_table.hpp"
#include "apps/launch/standings.hpp"

#include "gossamer/events/measurement.hpp"

namespace gossamer::cli {

/// What several peers reported of one round.
struct CombinedReport {
  /// The mean over them. What the worst of them has is what `tested` says of the worst node;
  /// seconds are those of the slowest.
  Measurement figures;
  std::size_t peers = 0;

  /// Columns that fit into so many characters; 0: all of them.
  [[nodiscard]] std::vector<Cell> cells(std::size_t room) const;

  /// What is measured, and of whom.
  [[nodiscard]] std::string_view caption() const;
};

/// Reports of peers, which come at different times, put together round by round.
class CombinedReports {
 public:
  /// One that is too late for its round is left out.
  void take(NodeId node, const Measurement& report);

  /// Those that no active peer can still add to, in the order of rounds. Each once.
  [[nodiscard]] std::vector<CombinedReport> complete(const Standings& standings);

  /// All that is left, when nothing comes any more.
  [[nodiscard]] std::vector<CombinedReport> rest();

 private:
  using ByNode = std::map<NodeId, Measurement>;

  std::map<Round, ByNode> waiting_;
  Round handed_on_ = 0;  // the last round that was, if any was
  bool has_handed_on_ = false;
};

}  // namespace gossamer::cli
