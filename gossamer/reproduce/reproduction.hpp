#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/reproduce/claims.hpp"
#include "gossamer/reproduce/entry.hpp"
#include "gossamer/train/run.hpp"

namespace gossamer {

/// A run of an entry that came to an end.
struct PerformedRun {
  RunSeries series;
  std::string summary;  // summary.json, as of a run's folder
  std::string config;   // config.toml, resolved
  /// Rounds completed when somebody stopped it.
  std::optional<Round> stopped_after;
  /// Why it says nothing about its claims: a failure that is no divergence.
  std::optional<Failure> failure;
};

/// What an entry's runs showed.
struct Reproduction {
  Entry entry;
  Effort effort = Effort::kQuick;
  std::vector<PerformedRun> runs;
  std::vector<Verdict> verdicts;  // of the entry's claims, in their order

  [[nodiscard]] Standing standing(std::size_t claim) const {
    return standing_of(entry.claims.at(claim), verdicts.at(claim));
  }

  [[nodiscard]] bool holds() const;
};

/// The objects of a run, checked against each other; and what is watched of it, so that the entry's
/// claims can be judged: unless its settings say otherwise, 100 rounds in each decade, or the
/// epochs of a network; the rounds that claims name; and, of consensus, the first round at each
/// target. Runs that learn the same share its task, which `tasks` keeps.
[[nodiscard]] Result<std::unique_ptr<Experiment>> prepare(const Entry& entry, const PlannedRun& run,
                                                          TaskKeeper& tasks);

/// Runs it to its end. `options` may have all but `report`, which is the series. An error means
/// that it could not begin.
[[nodiscard]] Result<PerformedRun> perform(const Entry& entry, const PlannedRun& run,
                                           const Experiment& experiment, RunOptions options);

/// Judges the claims of an entry by its runs, which are all there.
[[nodiscard]] Reproduction conclude(Entry entry, Effort effort, std::vector<PerformedRun> runs);

/// By method, row and column of a grid.
using GridValues = std::vector<std::vector<std::vector<std::optional<double>>>>;

/// The metric of the entry's grid at the end of each run; nothing of one that diverged.
[[nodiscard]] GridValues grid_values(const Reproduction& reproduction);

/// 0, 1, 2, ... with steps that grow so that a decade has `per_decade` rounds at most; and `last`.
[[nodiscard]] std::vector<Round> geometric_rounds(Round last, int per_decade);

}  // namespace gossamer
