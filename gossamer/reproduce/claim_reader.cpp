#include "gossamer/reproduce/claim_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/text/suggest.hpp"
#include "gossamer/events/figures.hpp"
#include "gossamer/network/registry.hpp"

namespace gossamer {
namespace {

const std::vector<std::pair<std::string, Measure>>& measures() {
  static const std::vector<std::pair<std::string, Measure>> all = {
      {"rounds-to", Measure::kRoundsTo}, {"bytes-to", Measure::kBytesTo},
      {"bits-to", Measure::kBitsTo},     {"seconds-to", Measure::kSecondsTo},
      {"value", Measure::kValue},        {"diverges", Measure::kDiverges}};
  return all;
}

void read_measure(TomlTable& table, Claim& claim) {
  const std::string text = table.text("measure").value_or("");
  table.require(!text.empty(), "measure");
  std::vector<std::string> names;
  for (const auto& [name, measure] : measures()) {
    if (name == text) claim.measure = measure;
    names.push_back(name);
  }
  if (!text.empty() && std::ranges::count(names, text) == 0)
    table.refuse("measure", unknown_name("measure", text, names));
}

void read_runs(TomlTable& table, std::span<const std::string> names, Claim& claim) {
  claim.run = table.text("run").value_or("");
  table.require(!claim.run.empty(), "run");
  claim.over = table.text("over").value_or("");
  claim.under = table.text("under").value_or("");
  if (!claim.over.empty() && !claim.under.empty())
    table.refuse("under", "a claim has 'over' or 'under', not both");
  for (const auto& [key, run] : {std::pair("run", claim.run), std::pair("over", claim.over),
                                 std::pair("under", claim.under)}) {
    if (!run.empty()) refuse_unknown_run(table, key, run, names);
  }
}

void read_round(TomlTable& table, Claim& claim) {
  const std::optional<double> at = table.number("at");
  if (!at) return;
  if (*at < 0 || *at != std::floor(*at) || *at > 1e12) {
    table.refuse("at", "must be a round");
  } else {
    claim.at = static_cast<Round>(*at);
  }
}

// What each measure needs, and what would be ignored.
void read_target(TomlTable& table, Claim& claim) {
  const bool is_value = claim.measure == Measure::kValue;
  const bool is_divergence = claim.measure == Measure::kDiverges;
  const std::optional<double> target = table.number("target");
  claim.target = target.value_or(0.0);
  read_round(table, claim);
  const std::optional<bool> expected = table.yes_or_no("expected");
  claim.expected = expected.value_or(true);
  if (!is_value && !is_divergence) table.require(target.has_value(), "target");
  if ((is_value || is_divergence) && target)
    table.refuse("target", "is for rounds-to and its like");
  if (!is_value && claim.at) table.refuse("at", "is for measure = \"value\"");
  if (!is_divergence && expected) table.refuse("expected", "is for measure = \"diverges\"");
  if (is_divergence && (!claim.over.empty() || !claim.under.empty()))
    table.refuse("measure", "divergence is not divided by that of another run");
  if (is_divergence && !claim.metric.empty()) table.refuse("metric", "runs diverge as a whole");
  if (!is_divergence) table.require(!claim.metric.empty(), "metric");
}

void read_bounds(TomlTable& table, Claim& claim) {
  claim.at_least = table.number("at_least");
  claim.at_most = table.number("at_most");
  const bool is_bounded = claim.at_least || claim.at_most;
  if (claim.measure == Measure::kDiverges) {
    if (is_bounded)
      table.refuse("measure", "a run diverges or not: write expected = true or false");
  } else if (!is_bounded) {
    table.refuse("at_least", "a claim needs a bound: at_least, at_most or both");
  }
}

}  // namespace

void refuse_real_seconds(TomlTable& table, std::string_view key, std::string_view figure,
                         std::span<const PlannedRun> runs) {
  const auto is_simulated = [](const PlannedRun& run) {
    return find_world(run.config.network).value().clock == WorldClock::kVirtual;
  };
  if (figure.starts_with("seconds") && !std::ranges::all_of(runs, is_simulated))
    table.refuse(key, "real seconds tell nobody else anything: set network = \"sim\"");
}

void refuse_unknown_metric(TomlTable& table, std::string_view key, std::string_view metric,
                           Command command) {
  const std::vector<std::string>& names =
      command == Command::kTrain ? figure_names_of_training() : figure_names_of_consensus();
  if (!metric.empty() && std::ranges::find(names, metric) == names.end())
    table.refuse(key, unknown_name("metric", metric, names));
}

void refuse_unknown_run(TomlTable& table, std::string_view key, std::string_view run,
                        std::span<const std::string> names) {
  if (std::ranges::find(names, run) == names.end())
    table.refuse(key, unknown_name("run", run, names));
}

Claim read_claim(TomlTable& table, const Entry& entry, std::span<const std::string> names) {
  Claim claim;
  claim.says = table.text("says").value_or("");
  table.require(!claim.says.empty(), "says");
  claim.claimed = table.text("claimed").value_or("");
  table.require(!claim.claimed.empty(), "claimed");
  claim.why = table.text("why").value_or("");
  claim.differs = table.yes_or_no("differs").value_or(false);
  if (claim.differs && claim.why.empty())
    table.refuse("differs", "what differs from the paper needs a reason: write why");
  read_measure(table, claim);
  read_runs(table, names, claim);
  claim.metric = table.text("metric").value_or("");
  refuse_unknown_metric(table, "metric", claim.metric, entry.command);
  read_target(table, claim);
  read_bounds(table, claim);
  refuse_real_seconds(table, "metric", claim.metric, entry.runs);
  if (claim.measure == Measure::kSecondsTo)
    refuse_real_seconds(table, "measure", "seconds", entry.runs);
  return claim;
}

}  // namespace gossamer
