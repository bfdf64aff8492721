#pragma once

#include "apps/console/report_table.hpp"

#include "gossamer/events/sink.hpp"
#include "gossamer/train/run.hpp"

namespace gossamer::cli {

/// Prints a run as it goes: JSON lines, or a table for people, with a row for each measurement.
/// Where an EventStream tells what happens, only what is no event.
class RunReport final : public EventListener {
 public:
  enum class Format { kJson, kTable, kEvents, kNothing };

  RunReport(const Experiment& experiment, Format format);

  /// What runs, and what speaks against it. An interval of 0: there are no checkpoints.
  void begin(Round checkpoint_interval) const;

  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    if (format_ == Format::kEvents) return kind == EventKind::kFailed;
    return format_ != Format::kNothing && kind == EventKind::kMeasured;
  }

  void take(const Event& event) override;

  /// The summary, and the sentence of a failure. Returns the exit code.
  [[nodiscard]] int end(const RunOutcome& outcome) const;

 private:
  void print_row(const Measurement& measurement);
  void print_closing(const RunOutcome& outcome) const;

  const Experiment& experiment_;
  Format format_;
  RowPrinter rows_;
  bool failure_is_told_ = false;
};

}  // namespace gossamer::cli
