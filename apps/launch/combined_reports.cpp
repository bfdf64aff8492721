#include "apps/launch/combined_reports.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "apps/console/human.hpp"
#include <fmt/format.h>

namespace gossamer::cli {
namespace {

/// The mean of those that have it, in the order of nodes; nothing if none has.
template <typename Get>
std::optional<double> mean_of(const std::vector<Measurement>& reports, const Get& get) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const Measurement& report : reports) {
    const std::optional<double> value = get(report);
    if (!value) continue;
    sum += *value;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

// The mean over peers; their worst too, if each tested its own model.
std::optional<Tested> combine_tests(const std::vector<Measurement>& reports) {
  std::optional<Tested> combined;
  for (const Measurement& report : reports) {
    if (!report.tested) continue;
    const Evaluation& own = report.tested->mean_model;
    if (!combined) combined.emplace();
    combined->loss_nodes_worst = std::max(combined->loss_nodes_worst.value_or(own.loss), own.loss);
    if (own.accuracy)
      combined->accuracy_nodes_worst =
          std::min(combined->accuracy_nodes_worst.value_or(*own.accuracy), *own.accuracy);
  }
  if (!combined) return combined;
  combined->mean_model.loss = *mean_of(reports, [](const Measurement& report) {
    return report.tested ? std::optional(report.tested->mean_model.loss) : std::nullopt;
  });
  combined->mean_model.accuracy = mean_of(reports, [](const Measurement& report) {
    return report.tested ? report.tested->mean_model.accuracy : std::nullopt;
  });
  return combined;
}

CombinedReport combine(const std::vector<Measurement>& reports) {
  CombinedReport combined{reports.front(), reports.size()};
  Measurement& figures = combined.figures;
  const auto mean = [&](std::optional<double> Measurement::*member) {
    return mean_of(reports, [member](const Measurement& report) { return report.*member; });
  };
  figures.epoch = mean(&Measurement::epoch);
  figures.objective = mean(&Measurement::objective);
  figures.suboptimality = mean(&Measurement::suboptimality);
  figures.train_loss = mean(&Measurement::train_loss);
  figures.tested = combine_tests(reports);
  figures.bytes_sent_per_node = *mean_of(
      reports, [](const Measurement& report) { return std::optional(report.bytes_sent_per_node); });
  for (const Measurement& report : reports)
    figures.seconds = std::max(figures.seconds, report.seconds);
  return combined;
}

// Whether a peer took the mean of all models is the same for all of them, unless it had lost the
// others. Two things in one row would be none.
CombinedReport combine_alike(const std::map<NodeId, Measurement>& by_node) {
  std::vector<Measurement> of_mean;
  std::vector<Measurement> of_own;
  for (const auto& [node, report] : by_node)
    (report.is_own ? of_own : of_mean).push_back(report);
  return combine(of_mean.empty() ? of_own : of_mean);
}

/// A column, and how much of a reason there is to show it on a narrow screen.
struct RankedCell {
  Cell cell;
  int rank;
};

void add_tests(const Measurement& figures, std::vector<RankedCell>& cells) {
  if (!figures.tested) return;
  const Tested& tested = *figures.tested;
  if (tested.mean_model.accuracy) {
    cells.push_back({{"accuracy", 11, human_percent(*tested.mean_model.accuracy)}, 8});
    if (figures.is_own)
      cells.push_back({{"worst", 10, human_percent(*tested.accuracy_nodes_worst)}, 5});
    return;
  }
  cells.push_back({{"perplexity", 12, fmt::format("{:.2f}", std::exp(tested.mean_model.loss))}, 8});
  if (figures.is_own)
    cells.push_back({{"worst", 10, fmt::format("{:.2f}", std::exp(*tested.loss_nodes_worst))}, 5});
}

}  // namespace

std::vector<Cell> CombinedReport::cells(std::size_t room) const {
  std::vector<RankedCell> ranked = {{{"round", 9, fmt::format("{}", figures.round)}, 9}};
  if (figures.epoch) ranked.push_back({{"epoch", 8, fmt::format("{:.2f}", *figures.epoch)}, 4});
  if (figures.objective) {
    ranked.push_back({{"objective", 13, fmt::format("{:.7g}", *figures.objective)}, 7});
  } else {  // nothing was trained on before the first round
    const auto& loss = figures.train_loss;
    ranked.push_back({{"train loss", 12, loss ? fmt::format("{:.4f}", *loss) : "-"}, 7});
  }
  add_tests(figures, ranked);
  if (figures.suboptimality)
    ranked.push_back({{"suboptimality", 15, fmt::format("{:.3e}", *figures.suboptimality)}, 3});
  ranked.push_back({{"sent/node", 11, human_bytes(figures.bytes_sent_per_node)}, 2});
  ranked.push_back({{"seconds", 10, fmt::format("{:.4g}", figures.seconds)}, 1});
  ranked.push_back({{"peers", 7, fmt::format("{}", peers)}, 6});
  const auto width = [&] {
    return std::accumulate(ranked.begin(), ranked.end(), std::size_t{0},
                           [](std::size_t sum, const RankedCell& each) {
                             return sum + static_cast<std::size_t>(each.cell.width);
                           });
  };
  while (room > 0 && width() > room && ranked.size() > 1)
    ranked.erase(std::ranges::min_element(ranked, {}, &RankedCell::rank));
  std::vector<Cell> cells;
  for (RankedCell& each : ranked)
    cells.push_back(std::move(each.cell));
  return cells;
}

std::string_view CombinedReport::caption() const {
  return figures.is_own ? "The mean over peers, each with its own model:" : "The averaged model:";
}

void CombinedReports::take(NodeId node, const Measurement& report) {
  if (has_handed_on_ && report.round <= handed_on_) return;
  waiting_[report.round].insert_or_assign(node, report);
}

std::vector<CombinedReport> CombinedReports::complete(const Standings& standings) {
  std::vector<CombinedReport> reports;
  while (!waiting_.empty()) {
    const auto& [round, by_node] = *waiting_.begin();
    const bool is_waited_for = std::ranges::any_of(standings.active(), [&](NodeId node) {
      const Standing& peer = standings.of(node);
      return !by_node.contains(node) && peer.round <= round && peer.outcome.empty();
    });
    if (is_waited_for) break;
    reports.push_back(combine_alike(by_node));
    handed_on_ = round;
    has_handed_on_ = true;
    waiting_.erase(waiting_.begin());
  }
  return reports;
}

std::vector<CombinedReport> CombinedReports::rest() {
  std::vector<CombinedReport> reports;
  for (const auto& [round, by_node] : waiting_)
    reports.push_back(combine_alike(by_node));
  waiting_.clear();
  return reports;
}

}  // namespace gossamer::cli
