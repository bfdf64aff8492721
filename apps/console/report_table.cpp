#include "apps/console/report_table.hpp"

#include <cmath>

#include "apps/console/human.hpp"
#include <fmt/format.h>

namespace gossamer::cli {
namespace {

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

}  // namespace

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

std::string RowPrinter::lines_for(const std::vector<Cell>& cells, std::string_view caption) {
  std::string header(caption);
  if (!caption.empty()) header += '\n';
  std::string row;
  for (const Cell& cell : cells) {
    header += fmt::format("{:>{}}", cell.title, cell.width);
    row += fmt::format("{:>{}}", cell.text, cell.width);
  }
  const bool is_other = header != header_;
  header_ = header;
  return is_other ? fmt::format("\n{}\n{}\n", header, row) : row + "\n";
}

}  // namespace gossamer::cli
