#include "apps/launch/peers_screen.hpp"

#include <algorithm>
#include <unistd.h>

#include "apps/console/event_lines.hpp"
#include "apps/console/print_text.hpp"
#include "apps/launch/happenings.hpp"
#include "apps/launch/node_list.hpp"
#include "apps/launch/progress_words.hpp"
#include "apps/launch/summary.hpp"
#include <fmt/format.h>

namespace gossamer::cli {

void PeersScreen::take(const Event& event) {
  standings_.take(event);
  if (!begin_ && event.kind() == EventKind::kBegan) begin_ = Clock::now();
  if (const auto* const measured = std::get_if<Measured>(&event.what))
    reports_.take(event.node, measured->measurement);
  if (std::optional<Happening> happening = happening_of(event)) {
    happenings_.forget(happening->undoes);
    SharedLines& lines = happening->is_failure ? failures_ : happenings_;
    lines.take(event.node, std::move(happening->line), Clock::now());
  }
  refresh();
}

void PeersScreen::take_line(NodeId node, ChildStream stream, std::string_view line) {
  if (line.empty()) return;  // they part what stands together elsewhere
  SharedLines& lines = stream == ChildStream::kOut ? said_ : errors_;
  lines.take(node, {.key = std::string(line), .text = std::string(line)}, Clock::now());
  refresh();
}

void PeersScreen::end(NodeId node) {
  standings_.end(node);
  refresh();
}

void PeersScreen::tell(std::string_view sentence) {
  print(stderr, timed_line(sentence));
  draw();
}

std::optional<SharedLines::Time> PeersScreen::due() const {
  std::optional<SharedLines::Time> first;
  for (const SharedLines* const lines : {&said_, &errors_, &happenings_, &failures_}) {
    const auto due = lines->due();
    if (due) first = std::min(first.value_or(*due), *due);
  }
  return first;
}

void PeersScreen::refresh() {
  const Clock::time_point now = Clock::now();
  while (const auto line = said_.next(standings_.active(), now))
    print(stdout, text_of(*line) + "\n");
  while (const auto line = errors_.next(standings_.active(), now))
    print(stderr, text_of(*line) + "\n");
  while (const auto line = happenings_.next(standings_.active(), now))
    print(stderr, timed_line(text_of(*line)));
  // Those who fail mostly fail together: then the summary is soon enough, and once.
  while (const auto line = failures_.next({}, now))
    print(stderr, timed_line(text_of(*line)));
  print_rows(reports_.complete(standings_));
  draw();
}

void PeersScreen::print(std::FILE* out, const std::string& text) {
  bar_.take_away();
  print_text(out, text);
}

std::string PeersScreen::text_of(const SharedLines::Line& line) const {
  const bool is_all = line.who.size() == standings_.size() && line.who.size() > 1;
  return fmt::format("[{}] {}", is_all ? "all" : node_list(line.who), line.text);
}

void PeersScreen::print_all_said() {
  while (const auto line = said_.next_at_once())
    print(stdout, text_of(*line) + "\n");
}

void PeersScreen::print_rows(const std::vector<CombinedReport>& reports) {
  if (reports.empty()) return;
  // What peers say before they begin stands above the table.
  if (!has_rows_) print_all_said();
  has_rows_ = true;
  for (const CombinedReport& report : reports)
    print(stdout, rows_.lines_for(report.cells(terminal_width(STDOUT_FILENO)), report.caption()));
}

void PeersScreen::draw() {
  if (!bar_.is_due() || standings_.running().empty()) return;
  const Standing* const slowest = standings_.slowest();
  if (slowest == nullptr) {
    bar_.draw(0.0, {fmt::format("waiting for {} to begin", named_nodes(standings_.running()))});
  } else {
    const double spent = std::chrono::duration<double>(Clock::now() - *begin_).count();
    const Round rounds = std::max<Round>(slowest->began->rounds, 1);
    bar_.draw(static_cast<double>(slowest->round) / static_cast<double>(rounds),
              progress_words(standings_, *slowest, spent));
  }
}

void PeersScreen::finish() {
  print_rows(reports_.rest());
  print_all_said();
  while (const auto line = errors_.next_at_once())
    print(stderr, text_of(*line) + "\n");
  while (const auto line = happenings_.next_at_once())
    print(stderr, timed_line(text_of(*line)));
  bar_.take_away();
  print_summary(standings_, std::chrono::duration<double>(Clock::now() - start_).count());
}

}  // namespace gossamer::cli
