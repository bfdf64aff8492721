#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "apps/console/bottom_line.hpp"
#include "apps/console/report_table.hpp"
#include "apps/launch/combined_reports.hpp"
#include "apps/launch/shared_lines.hpp"
#include "apps/launch/standings.hpp"
#include "apps/processes/child_listener.hpp"

#include "gossamer/events/event.hpp"

namespace gossamer::cli {

/// A run of many processes as one: a table of what they report together, a line for each thing that
/// happens, and at the bottom of a terminal a bar that follows the slowest.
class PeersScreen {
 public:
  explicit PeersScreen(NodeId peers) : standings_(peers) { draw(); }

  /// What a peer tells.
  void take(const Event& event);

  /// A line that is no event's.
  void take_line(NodeId node, ChildStream stream, std::string_view line);

  /// A sentence of nobody's.
  void tell(std::string_view sentence);

  /// A peer's process has ended.
  void end(NodeId node);

  /// When on_time() has something to do; nothing: never.
  [[nodiscard]] std::optional<SharedLines::Time> due() const;

  void on_time() { refresh(); }

  /// Nothing comes any more: what is left, and how it ended.
  void finish();

  [[nodiscard]] const Standings& standings() const { return standings_; }

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr std::chrono::milliseconds kMoment{500};

  /// Prints what there is to print, and draws the bar.
  void refresh();
  void print_rows(const std::vector<CombinedReport>& reports);
  /// Who says it, and what.
  [[nodiscard]] std::string text_of(const SharedLines::Line& line) const;
  void print(std::FILE* out, const std::string& text);
  void print_all_said();
  void draw();

  Standings standings_;
  // Of standard output: what all say before and after a run, however late some of them start.
  SharedLines said_{std::chrono::seconds(5)};
  SharedLines errors_{kMoment};
  SharedLines happenings_{kMoment};
  SharedLines failures_{kMoment};
  CombinedReports reports_;
  RowPrinter rows_;
  bool has_rows_ = false;
  std::optional<Clock::time_point> begin_;  // of the first round that this run has
  Clock::time_point start_ = Clock::now();
  BottomLine bar_{BottomLine::Show::kIfTerminal};
};

}  // namespace gossamer::cli
