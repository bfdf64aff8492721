#include "apps/console/run_report.hpp"

#include <cmath>
#include <string_view>
#include <vector>

#include "apps/command.hpp"
#include "apps/console/human.hpp"
#include <fmt/format.h>

#include "gossamer/base/text/printable.hpp"
#include "gossamer/events/measurement_json.hpp"
#include "gossamer/train/run_folder.hpp"

namespace gossamer::cli {
namespace {

/// One column of the table in one row.
struct Cell {
  std::string_view title;
  int width;
  std::string text;
};

void add_own(const Evaluation& own, std::vector<Cell>& cells) {
  if (own.accuracy) {
    cells.push_back({"own accuracy", 14, human_percent(*own.accuracy)});
  } else {
    cells.push_back({"own perplexity", 16, fmt::format("{:.2f}", std::exp(own.loss))});
  }
}

void add_cells(const Tested& tested, std::vector<Cell>& cells) {
  if (!tested.mean_model.accuracy) {
    cells.push_back({"perplexity", 13, fmt::format("{:.2f}", std::exp(tested.mean_model.loss))});
    if (!tested.loss_nodes_mean) return;
    cells.push_back({"of nodes", 11, fmt::format("{:.2f}", std::exp(*tested.loss_nodes_mean))});
    cells.push_back({"worst", 11, fmt::format("{:.2f}", std::exp(*tested.loss_nodes_worst))});
    return;
  }
  cells.push_back({"accuracy", 11, human_percent(*tested.mean_model.accuracy)});
  if (!tested.accuracy_nodes_mean) return;
  cells.push_back({"of nodes", 11, human_percent(*tested.accuracy_nodes_mean)});
  cells.push_back({"worst", 11, human_percent(*tested.accuracy_nodes_worst)});
}

std::vector<Cell> cells_of(const Measurement& measurement) {
  std::vector<Cell> cells = {{"round", 9, fmt::format("{}", measurement.round)}};
  if (measurement.error && measurement.mean_drift) {
    cells.push_back({"error", 13, fmt::format("{:.4e}", *measurement.error)});
    cells.push_back({"mean drift", 13, fmt::format("{:.3e}", *measurement.mean_drift)});
  } else {
    if (measurement.epoch) cells.push_back({"epoch", 9, fmt::format("{:.2f}", *measurement.epoch)});
    if (measurement.objective)
      cells.push_back({measurement.is_own ? "own objective" : "objective",
                       measurement.is_own ? 15 : 13,
                       fmt::format("{:.7g}", *measurement.objective)});
    else  // nothing was trained on before the first round
      cells.push_back(
          {"train loss", 13,
           measurement.train_loss ? fmt::format("{:.4f}", *measurement.train_loss) : "-"});
    if (measurement.tested && measurement.is_own) {
      add_own(measurement.tested->mean_model, cells);
    } else if (measurement.tested) {
      add_cells(*measurement.tested, cells);
    }
    if (measurement.suboptimality)
      cells.push_back({measurement.is_own ? "own suboptimality" : "suboptimality",
                       measurement.is_own ? 19 : 15,
                       fmt::format("{:.3e}", *measurement.suboptimality)});
    if (measurement.consensus_distance) {
      cells.push_back(
          {"consensus distance", 20, fmt::format("{:.3e}", *measurement.consensus_distance)});
    }
  }
  cells.push_back({"sent/node", 12, human_bytes(measurement.bytes_sent_per_node)});
  cells.push_back({"seconds", 12, fmt::format("{:.4g}", measurement.seconds)});
  return cells;
}

}  // namespace

RunReport::RunReport(const Experiment& experiment, Format format)
    : experiment_(experiment), format_(format) {}

void RunReport::begin(Round checkpoint_interval) const {
  if (format_ == Format::kNothing) return;
  for (const std::string& warning : experiment_.warnings)
    fmt::print(stderr, "gossamer: warning: {}\n", warning);
  if (format_ == Format::kJson) return;
  const RunConfig& config = experiment_.config;
  fmt::print("{}: {} with {} on {}, {} nodes, {} numbers each, gamma {:.4g}, {}\n", config.task,
             config.algorithm, experiment_.compressor->spec(), experiment_.topology->spec(),
             config.nodes, experiment_.layout().size(), experiment_.gamma, config.network);
  if (checkpoint_interval > 0) fmt::print("a checkpoint every {} rounds\n", checkpoint_interval);
}

void RunReport::take(const Event& event) {
  print_row(std::get<Measured>(event.what).measurement);
}

void RunReport::print_row(const Measurement& measurement) {
  if (format_ == Format::kJson) {
    fmt::print("{}\n", to_json(measurement));
    std::fflush(stdout);
    return;
  }
  const std::vector<Cell> cells = cells_of(measurement);
  std::string header;
  for (const Cell& cell : cells)
    header += fmt::format("{:>{}}", cell.title, cell.width);
  // A peer sees its own model alone, and at the end the mean of all.
  if (header != header_) fmt::print("\n{}\n", header);
  header_ = header;
  std::string line;
  for (const Cell& cell : cells)
    line += fmt::format("{:>{}}", cell.text, cell.width);
  fmt::print("{}\n", line);
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
  if (outcome.stopped_after)
    fmt::print(stderr, "gossamer: stopped after {} rounds\n", *outcome.stopped_after);
  if (outcome.failure) {
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
