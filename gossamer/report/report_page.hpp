#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

/// A run as its folder tells it.
struct ReportedRun {
  std::string name;
  std::string metrics;  // metrics.jsonl: a JSON object per line
  std::string summary;  // summary.json; empty: the run has not ended
  std::string config;   // config.toml
};

/// What a report is about: runs to compare, and the graph that they share.
struct ReportPage {
  std::string title;
  std::vector<ReportedRun> runs;
  NodeId nodes = 0;                              // 0: no graph is shown
  std::vector<std::pair<NodeId, NodeId>> edges;  // each pair once
  std::string topology;
};

/// What the script of a page is told of runs: a JSON array. Refuses what report_html() refuses.
[[nodiscard]] Result<std::string> runs_json(std::span<const ReportedRun> runs);

/// One HTML file with everything inside: it loads nothing and works offline. It shows those of the
/// quantities it knows that the runs have. Text from outside is shown as text, whatever it holds.
///
/// Refuses metrics and summaries that are not what a run writes, naming run and line.
[[nodiscard]] Result<std::string> report_html(const ReportPage& page);

}  // namespace gossamer
