#include "apps/launch/shared_lines.hpp"

#include <algorithm>
#include <utility>

namespace gossamer::cli {
namespace {

constexpr std::chrono::minutes kRemembered{1};
// Of peers that print more than anybody reads.
constexpr std::size_t kMostLines = 256;

}  // namespace

void SharedLines::take(NodeId node, Line line, Time now) {
  std::erase_if(told_, [now](const Dated& told) { return now - told.time > kRemembered; });
  const auto has_key = [&line](const Dated& other) { return other.line.key == line.key; };
  const auto waiting = std::find_if(waiting_.rbegin(), waiting_.rend(), has_key);
  if (waiting != waiting_.rend()) {
    if (waiting->line.who.insert(node).second) return;
  } else if (line.late == Late::kLeftOut) {
    const auto told = std::ranges::find_if(told_, has_key);
    if (told != told_.end() && told->line.who.insert(node).second) return;
  }
  line.who = {node};
  waiting_.push_back({std::move(line), now});
}

void SharedLines::forget(std::string_view key) {
  std::erase_if(told_, [key](const Dated& told) { return told.line.key == key; });
}

std::optional<SharedLines::Line> SharedLines::next(const std::set<NodeId>& others, Time now) {
  if (waiting_.empty()) return std::nullopt;
  const auto& [line, time] = waiting_.front();
  const bool is_said_by_all = !others.empty() && std::ranges::includes(line.who, others);
  const bool waits = !is_said_by_all && waiting_.size() <= kMostLines && now < time + patience_;
  return waits ? std::nullopt : next_at_once();
}

std::optional<SharedLines::Line> SharedLines::next_at_once() {
  if (waiting_.empty()) return std::nullopt;
  Dated next = std::move(waiting_.front());
  waiting_.pop_front();
  forget(next.line.key);
  told_.push_back(next);
  if (told_.size() > kMostLines) told_.pop_front();
  return std::move(next.line);
}

std::optional<SharedLines::Time> SharedLines::due() const {
  if (waiting_.empty()) return std::nullopt;
  return waiting_.front().time + patience_;
}

}  // namespace gossamer::cli
