#pragma once

#include <utility>

#include "gossamer/events/sink.hpp"
#include "gossamer/train/run_folder.hpp"

namespace gossamer {

/// A line of a run's metrics.jsonl for each measurement. A run that goes on writes the lines of
/// later rounds again: they are forgotten when it begins. Throws when the file takes no more.
class MetricsFile final : public EventListener {
 public:
  explicit MetricsFile(RunFolder folder) : folder_(std::move(folder)) {}

  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    return kind == EventKind::kMeasured || kind == EventKind::kBegan;
  }

  void take(const Event& event) override;

 private:
  void begin(Round from);

  RunFolder folder_;
  bool has_begun_ = false;
};

}  // namespace gossamer
