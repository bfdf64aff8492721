#include "gossamer/watch/trace.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"

namespace gossamer {
namespace {

// Every digit is kept: a double would lose some after 104 days.
std::string microseconds(Duration duration) {
  return fmt::format("{}.{:03}", duration.count() / 1000, duration.count() % 1000);
}

}  // namespace

void Trace::take(const Event& event) {
  add(event.node, std::get<Spans>(event.what).spans);
}

void Trace::add(NodeId node, std::span<const Span> spans) {
  const std::lock_guard lock(mutex_);
  const auto place = std::ranges::lower_bound(nodes_, node, {}, &NodeSpans::node);
  nodes_.insert(place, {node, {spans.begin(), spans.end()}});
}

std::vector<Span> Trace::spans_of(NodeId node) const {
  const std::lock_guard lock(mutex_);
  const auto place = std::ranges::find(nodes_, node, &NodeSpans::node);
  return place == nodes_.end() ? std::vector<Span>{} : place->spans;
}

std::string Trace::json() const {
  const std::lock_guard lock(mutex_);
  std::string text =
      R"({"displayTimeUnit":"ms","traceEvents":[
{"name":"process_name","ph":"M","pid":0,"args":{"name":"gossamer"}})";
  const auto out = std::back_inserter(text);
  for (const auto& [node, spans] : nodes_) {
    fmt::format_to(
        out,
        ",\n"
        R"({{"name":"thread_name","ph":"M","pid":0,"tid":{0},"args":{{"name":"node {0}"}}}})",
        node);
    for (const Span& span : spans) {
      fmt::format_to(
          out,
          ",\n"
          R"({{"name":"{}","ph":"X","pid":0,"tid":{},"ts":{},"dur":{},"args":{{"round":{}}}}})",
          name_of(span.phase), node, microseconds(span.begin.time_since_epoch()),
          microseconds(span.end - span.begin), span.round);
    }
  }
  return text + "\n]}\n";
}

Result<void> Trace::write(const std::string& path) const {
  return write_file(path, as_bytes(json()));
}

}  // namespace gossamer
