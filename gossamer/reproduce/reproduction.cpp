#include "gossamer/reproduce/reproduction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/events/figures.hpp"
#include "gossamer/train/run_folder.hpp"
#include "gossamer/train/tune_gamma.hpp"
#include "gossamer/watch/observatory.hpp"

namespace gossamer {
namespace {

// A target is then found within 2.3 % of its round.
constexpr int kReportsPerDecade = 100;

bool is_about(const Claim& claim, const std::string& run) {
  return claim.run == run || claim.over == run || claim.under == run;
}

void watch_what_claims_need(const Entry& entry, const std::string& run, Experiment& experiment) {
  RunConfig& config = experiment.config;
  if (config.report.empty()) {
    config.report = config.task == "network" ? default_reports(experiment)
                                             : geometric_rounds(config.rounds, kReportsPerDecade);
  }
  config.report.push_back(config.rounds);
  for (const Claim& claim : entry.claims) {
    if (!is_about(claim, run)) continue;
    if (claim.at) config.report.push_back(*claim.at);
    const bool has_target = claim.measure != Measure::kValue && claim.measure != Measure::kDiverges;
    if (has_target && experiment.consensus && claim.metric == "error")
      config.tolerances.push_back(claim.target);
  }
  std::ranges::sort(config.report);
  config.report.erase(std::unique(config.report.begin(), config.report.end()), config.report.end());
  std::ranges::sort(config.tolerances, std::greater{});
}

// Divergence is what some claims are about. Consensus that makes no more progress just does not
// reach its target.
bool is_result(const Failure& failure) {
  using Kind = Failure::Kind;
  return failure.kind == Kind::kDiverged || failure.kind == Kind::kNonFinite ||
         (failure.kind == Kind::kStalled && failure.quantity == "consensus error");
}

bool is_divergence(const Failure& failure) {
  return failure.kind == Failure::Kind::kDiverged || failure.kind == Failure::Kind::kNonFinite;
}

// Adds what was measured beside the reports: the first round at each tolerance, and the last one of
// a run that diverged.
void add_measurements(const RunOutcome& outcome, std::vector<Measurement>& series) {
  std::vector<Measurement> more;
  for (const ToleranceReached& tolerance : outcome.tolerances) {
    if (tolerance.first) more.push_back(*tolerance.first);
  }
  if (outcome.last) more.push_back(*outcome.last);
  for (const Measurement& measurement : more) {
    const auto place = std::ranges::lower_bound(series, measurement.round, {}, &Measurement::round);
    if (place == series.end() || place->round != measurement.round)
      series.insert(place, measurement);
  }
}

std::optional<double> last_value(const PerformedRun& run, std::string_view metric) {
  if (run.series.divergence || run.series.measurements.empty()) return std::nullopt;
  return figure(run.series.measurements.back(), metric);
}

}  // namespace

bool Reproduction::holds() const {
  return std::ranges::all_of(verdicts, &Verdict::holds);
}

Result<std::unique_ptr<Experiment>> prepare(const Entry& entry, const PlannedRun& run,
                                            TaskKeeper& tasks) {
  GammaTuner tuner;
  Result<std::unique_ptr<Experiment>> experiment = make_experiment(run.config, tuner, tasks);
  if (!experiment)
    return Error{fmt::format("{}: run '{}': {}", entry.name, run.name, experiment.error().message)};
  watch_what_claims_need(entry, run.name, *experiment.value());
  return experiment;
}

Result<PerformedRun> perform(const Entry& entry, const PlannedRun& run,
                             const Experiment& experiment, RunOptions options) {
  PerformedRun performed;
  RunSeries& series = performed.series;
  series.name = run.name;
  options.report = [&](const Measurement& measurement) {
    series.measurements.push_back(measurement);
  };
  const Result<RunOutcome> ran = run_experiment(experiment, options);
  if (!ran)
    return Error{fmt::format("{}: run '{}': {}", entry.name, run.name, ran.error().message)};
  const RunOutcome& outcome = ran.value();
  add_measurements(outcome, series.measurements);
  performed.stopped_after = outcome.stopped_after;
  if (outcome.failure && is_divergence(*outcome.failure)) series.divergence = outcome.failure;
  if (outcome.failure && !is_result(*outcome.failure)) performed.failure = outcome.failure;
  performed.summary = summary_json(experiment, outcome);
  performed.config = config_text(experiment.config, entry.command);
  return performed;
}

Reproduction conclude(Entry entry, Effort effort, std::vector<PerformedRun> runs) {
  std::vector<RunSeries> series;
  for (const PerformedRun& run : runs)
    series.push_back(run.series);
  std::vector<Verdict> verdicts;
  for (const Claim& claim : entry.claims)
    verdicts.push_back(judge(claim, series));
  return {std::move(entry), effort, std::move(runs), std::move(verdicts)};
}

GridValues grid_values(const Reproduction& reproduction) {
  expects(reproduction.entry.grid.has_value(), "only a grid has cells");
  const Grid& grid = *reproduction.entry.grid;
  GridValues values;
  auto run = reproduction.runs.begin();
  for (std::size_t method = 0; method < grid.methods.size(); ++method) {
    values.emplace_back();
    for (std::size_t row = 0; row < grid.rows.values.size(); ++row) {
      values.back().emplace_back();
      for (std::size_t column = 0; column < grid.columns.values.size(); ++column)
        values.back().back().push_back(last_value(*run++, grid.metric));
    }
  }
  return values;
}

std::vector<Round> geometric_rounds(Round last, int per_decade) {
  std::vector<Round> rounds = {0};
  int step = 0;
  while (rounds.back() < last) {
    // To the nearest: the last bit of a power, which is not the same everywhere, decides nothing.
    const double next = std::pow(10.0, static_cast<double>(step++) / per_decade);
    const auto round = std::min(static_cast<Round>(std::llround(next)), last);
    if (round > rounds.back()) rounds.push_back(round);
  }
  return rounds;
}

}  // namespace gossamer
