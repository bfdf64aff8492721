#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gossamer/reproduce/reproduction.hpp"

namespace gossamer::testing {

/// An entry with one claim, and one run that says nothing.
inline Reproduction made(std::string name, std::string says = "it works", bool holds = true) {
  Reproduction reproduction;
  reproduction.entry.name = std::move(name);
  reproduction.entry.title = "a title";
  reproduction.entry.paper = "a paper";
  reproduction.entry.about = "what was done";
  Claim claim;
  claim.says = std::move(says);
  claim.claimed = "at most 2x";
  claim.run = "one";
  reproduction.entry.claims = {claim};
  reproduction.verdicts = {{1.5, "1.5x", holds}};
  PerformedRun run;
  run.series.name = "one";
  run.series.measurements.resize(1);
  run.series.measurements[0].round = 1;
  run.series.measurements[0].error = 0.5;
  run.summary = R"({"summary":{"outcome":"finished"}})";
  run.config = "nodes = 4\n";
  reproduction.runs = {run};
  return reproduction;
}

}  // namespace gossamer::testing
