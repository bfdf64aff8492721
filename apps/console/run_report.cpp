#include "apps/console/run_report.hpp"

#include "apps/command.hpp"
#include "apps/console/human.hpp"
#include <fmt/format.h>

#include "gossamer/base/text/printable.hpp"
#include "gossamer/events/measurement_json.hpp"
#include "gossamer/train/run_folder.hpp"

namespace gossamer::cli {
RunReport::RunReport(const Experiment& experiment, Format format)
    : experiment_(experiment), format_(format) {}

void RunReport::begin(Round checkpoint_interval) const {
  if (format_ == Format::kNothing) return;
  if (format_ != Format::kEvents) {
    for (const std::string& warning : experiment_.warnings)
      fmt::print(stderr, "gossamer: warning: {}\n", warning);
  }
  if (format_ == Format::kJson) return;
  const RunConfig& config = experiment_.config;
  fmt::print("{}: {} with {} on {}, {} nodes, {} numbers each, gamma {:.4g}, {}\n", config.task,
             config.algorithm, experiment_.compressor->spec(), experiment_.topology->spec(),
             config.nodes, experiment_.layout().size(), experiment_.gamma, config.network);
  if (checkpoint_interval > 0) fmt::print("a checkpoint every {} rounds\n", checkpoint_interval);
  std::fflush(stdout);
}

void RunReport::take(const Event& event) {
  if (event.kind() == EventKind::kFailed) {
    failure_is_told_ = true;
  } else {
    print_row(std::get<Measured>(event.what).measurement);
  }
}

void RunReport::print_row(const Measurement& measurement) {
  if (format_ == Format::kJson) {
    fmt::print("{}\n", to_json(measurement));
    std::fflush(stdout);
    return;
  }
  // A peer sees its own model alone, and at the end the mean of all.
  fmt::print("{}", rows_.lines_for(cells_of(measurement)));
  std::fflush(stdout);
}

int RunReport::end(const RunOutcome& outcome) const {
  const bool is_refused = outcome.failure && outcome.failure->kind == Failure::Kind::kRefused;
  const int code = is_refused              ? kBadInput
                   : outcome.failure       ? kRunFailed
                   : outcome.stopped_after ? kStopped
                                           : kSuccess;
  if (format_ == Format::kNothing) return code;
  if (format_ == Format::kJson) {
    fmt::print("{}\n", summary_json(experiment_, outcome));
  } else {
    print_closing(outcome);
  }
  if (outcome.stopped_after && format_ != Format::kEvents) {
    fmt::print(stderr, "gossamer: {}\n",
               *outcome.stopped_after == 0
                   ? "stopped before the first round: nothing was done"
                   : fmt::format("stopped after {} rounds", *outcome.stopped_after));
  }
  if (outcome.failure && !failure_is_told_) {
    // It may quote what another node said.
    fmt::print(stderr, "gossamer: {}{}{}\n", printable(outcome.failure->sentence),
               outcome.remedy.empty() ? "" : "; ", printable(outcome.remedy));
  }
  return code;
}

void RunReport::print_closing(const RunOutcome& outcome) const {
  for (const ToleranceReached& wanted : outcome.tolerances) {
    if (wanted.first) {
      fmt::print("\nerror {:.0e} in round {}, {} sent per node", wanted.tolerance,
                 wanted.first->round, human_bytes(wanted.first->bytes_sent_per_node));
    } else {
      fmt::print("\nerror {:.0e} not reached", wanted.tolerance);
    }
  }
  if (!outcome.tolerances.empty()) fmt::print("\n");
  const double dense = 4.0 * static_cast<double>(experiment_.layout().size());
  const RngKey any{};
  const auto message = static_cast<double>(experiment_.compressor->encoded_size(any));
  if (experiment_.compressor->spec() != "identity" && message > 0) {
    fmt::print("\na message has {}, {:.1f} times less than the whole model\n", human_bytes(message),
               dense / message);
  }
}

}  // namespace gossamer::cli
