#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "gossamer/base/result.hpp"
#include "gossamer/events/event_kinds.hpp"
#include "gossamer/events/sink.hpp"

namespace gossamer {

/// Appends one JSON line per event to a file: events.jsonl. Throws when the file takes no more.
class EventFile final : public EventListener {
 public:
  /// A line for each round would be most of a file; spans make a run slower, and have a file of
  /// their own (Trace).
  static constexpr EventKinds kUsual =
      EventKinds::all_but({EventKind::kRoundDone, EventKind::kSpans});

  /// Makes the file, or goes on behind what it has. An error if it cannot be written.
  [[nodiscard]] static Result<std::unique_ptr<EventFile>> open(const std::string& path,
                                                               EventKinds kinds = kUsual);

  /// Of a file that is open: see open().
  EventFile(std::string path, std::ofstream file, EventKinds kinds)
      : path_(std::move(path)), file_(std::move(file)), kinds_(kinds) {}

  [[nodiscard]] bool wants(EventKind kind) const noexcept override { return kinds_.has(kind); }

  void take(const Event& event) override;
  void flush() override;

 private:
  std::string path_;
  std::ofstream file_;
  EventKinds kinds_;
};

}  // namespace gossamer
