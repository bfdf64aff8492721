#include "gossamer/reproduce/claims.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/events/figures.hpp"
#include "gossamer/reproduce/quantity.hpp"

namespace gossamer {
namespace {

const RunSeries& find_run(std::span<const RunSeries> runs, std::string_view name) {
  const auto run = std::ranges::find(runs, name, &RunSeries::name);
  expects(run != runs.end(), "a claim is about runs that were run");
  return *run;
}

bool is_reached(const Claim& claim, double value) {
  return grows(claim.metric) ? value >= claim.target : value <= claim.target;
}

std::string diverged(const RunSeries& run) {
  return fmt::format("'{}' diverged after {} rounds", run.name, run.divergence->round);
}

// What a run has spent of what the claim counts.
double spent(const Claim& claim, const Measurement& measurement) {
  switch (claim.measure) {
    case Measure::kRoundsTo:
      return static_cast<double>(measurement.round);
    case Measure::kBytesTo:
      return measurement.bytes_sent_per_node;
    case Measure::kBitsTo:
      return 8.0 * measurement.payload_bytes_per_node;
    case Measure::kSecondsTo:
      return measurement.seconds;
    default:
      break;
  }
  expects(false, "only what is spent on the way to a target is counted");
  return 0.0;
}

/// A number, or why there is none.
struct Finding {
  std::optional<Quantity> quantity = std::nullopt;
  std::string instead = {};
};

Finding spent_to_target(const Claim& claim, const RunSeries& run) {
  for (const Measurement& measurement : run.measurements) {
    const std::optional<double> value = figure(measurement, claim.metric);
    if (value && is_reached(claim, *value)) return {Quantity{spent(claim, measurement)}};
  }
  if (run.divergence) return {std::nullopt, diverged(run)};
  if (run.measurements.empty()) return {std::nullopt, fmt::format("'{}' has no reports", run.name)};
  return {Quantity{spent(claim, run.measurements.back()), Quantity::Kind::kMore}};
}

Finding value_of(const Claim& claim, const RunSeries& run) {
  if (run.divergence) return {std::nullopt, diverged(run)};
  const auto there = std::ranges::find_if(
      run.measurements.rbegin(), run.measurements.rend(),
      [&](const Measurement& measurement) { return !claim.at || measurement.round == *claim.at; });
  if (there == run.measurements.rend())
    return {std::nullopt, fmt::format("'{}' was not measured there", run.name)};
  const std::optional<double> value = figure(*there, claim.metric);
  if (!value) return {std::nullopt, fmt::format("'{}' has no {}", run.name, claim.metric)};
  if (!std::isfinite(*value))
    return {std::nullopt, fmt::format("the {} of '{}' is no number", claim.metric, run.name)};
  return {Quantity{*value}};
}

Finding find(const Claim& claim, const RunSeries& run) {
  return claim.measure == Measure::kValue ? value_of(claim, run) : spent_to_target(claim, run);
}

Finding ratio_of(const Claim& claim, const RunSeries& above, const RunSeries& below) {
  const Finding over = find(claim, above);
  if (!over.quantity) return over;
  const Finding under = find(claim, below);
  if (!under.quantity) return under;
  if (over.quantity->kind == Quantity::Kind::kMore && under.quantity->kind == Quantity::Kind::kMore)
    return {std::nullopt, fmt::format("neither reaches {:g}", claim.target)};
  if (under.quantity->value == 0.0)
    return {std::nullopt, fmt::format("'{}' has 0, which divides nothing", below.name)};
  return {*over.quantity / *under.quantity};
}

Verdict judge_divergence(const Claim& claim, const RunSeries& run) {
  if (!run.divergence) return {std::nullopt, "does not diverge", !claim.expected};
  return {static_cast<double>(run.divergence->round),
          fmt::format("diverges after {} rounds", run.divergence->round), claim.expected};
}

}  // namespace

Verdict judge(const Claim& claim, std::span<const RunSeries> runs) {
  const RunSeries& run = find_run(runs, claim.run);
  if (claim.measure == Measure::kDiverges) return judge_divergence(claim, run);
  const Finding finding = !claim.over.empty()    ? ratio_of(claim, run, find_run(runs, claim.over))
                          : !claim.under.empty() ? ratio_of(claim, find_run(runs, claim.under), run)
                                                 : find(claim, run);
  if (!finding.quantity) return {std::nullopt, finding.instead, false};
  const Quantity& quantity = *finding.quantity;
  const bool holds = (!claim.at_least || quantity.is_at_least(*claim.at_least)) &&
                     (!claim.at_most || quantity.is_at_most(*claim.at_most));
  return {quantity.value, quantity_text(quantity, claim), holds};
}

Standing standing_of(const Claim& claim, const Verdict& verdict) {
  if (!verdict.holds) return Standing::kFails;
  return claim.differs ? Standing::kDiffers : Standing::kHolds;
}

std::string_view name_of(Standing standing) {
  switch (standing) {
    case Standing::kHolds:
      return "holds";
    case Standing::kDiffers:
      return "differs";
    case Standing::kFails:
      break;
  }
  return "does not hold";
}

}  // namespace gossamer
