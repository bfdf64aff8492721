#include "apps/launch/table_of_peers.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>

#include "apps/console/event_lines.hpp"
#include "apps/console/whole_lines.hpp"
#include "apps/launch/lines_of_peers.hpp"
#include <fmt/format.h>

#include "gossamer/events/event_json.hpp"
#include "gossamer/events/sentence.hpp"

namespace gossamer::cli {

TableOfPeers::TableOfPeers(std::vector<NodeId> nodes, LineLog* log)
    : nodes_(std::move(nodes)), log_(log), screen_(static_cast<NodeId>(nodes_.size())) {}

void TableOfPeers::take(std::size_t child, ChildStream stream, std::string_view lines) {
  for_each_line(lines, [&](std::string_view line) { take_line(nodes_.at(child), stream, line); });
}

void TableOfPeers::take_line(NodeId node, ChildStream stream, std::string_view line) {
  if (stream == ChildStream::kOut && line.starts_with('{')) {
    const Result<Event> event = parse_event(line);
    if (event && event.value().node == node) {
      log(node, text_of(event.value()));
      screen_.take(event.value());
      return;
    }
  }
  log(node, fmt::format("{}\n", line));
  screen_.take_line(node, stream, line);
}

void TableOfPeers::log(NodeId node, std::string_view lines) {
  if (log_ != nullptr && !lines.empty()) log_->write(with_node(node, lines));
}

std::string TableOfPeers::text_of(const Event& event) {
  if (log_ == nullptr || event.kind() == EventKind::kRoundDone) return "";
  if (const auto* const measured = std::get_if<Measured>(&event.what))
    return rows_[event.node].lines_for(cells_of(measured->measurement));
  return timed_line(sentence_of(event));
}

TableOfPeers::Others TableOfPeers::ended(std::size_t child, const ChildEnd&) {
  screen_.end(nodes_.at(child));
  return Others::kGoOn;
}

void TableOfPeers::signalled(int signal) {
  screen_.tell(signal == SIGINT    ? "peers were asked to stop; Ctrl-C again ends them at once"
               : signal == SIGTERM ? "peers were told to end; Ctrl-C again kills them"
                                   : "peers were killed");
}

int TableOfPeers::patience() const {
  const auto due = screen_.due();
  if (!due) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*due - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

bool TableOfPeers::is_explained(NodeId node) const {
  const std::string& outcome = screen_.standings().of(node).outcome;
  return !outcome.empty() && outcome != "finished";
}

}  // namespace gossamer::cli
