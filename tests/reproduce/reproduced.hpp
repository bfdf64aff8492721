#pragma once

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "gossamer/reproduce/reproduction.hpp"

namespace gossamer::testing {

/// All runs of an entry, and its claims judged by them.
inline Reproduction reproduced(const Entry& entry) {
  std::vector<PerformedRun> runs;
  TaskKeeper tasks;
  for (const PlannedRun& planned : entry.runs) {
    const auto experiment = prepare(entry, planned, tasks);
    EXPECT_TRUE(experiment) << experiment.error().message;
    Result<PerformedRun> run = perform(entry, planned, *experiment.value(), {});
    EXPECT_TRUE(run) << run.error().message;
    runs.push_back(std::move(run).value());
  }
  return conclude(entry, Effort::kQuick, std::move(runs));
}

}  // namespace gossamer::testing
