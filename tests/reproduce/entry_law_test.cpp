// What every entry that comes with the program promises. Whether its claims hold, the tests
// Reproduce.NAME say, which run it.

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/reproduce/stored.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/reproduce/reproduction.hpp"

namespace gossamer::testing {
namespace {

class EntryLaw : public ::testing::TestWithParam<std::string> {
 protected:
  static Entry entry(Effort effort) { return stored_entry(GetParam(), effort); }
};

TEST_P(EntryLaw, SaysHowLongItTakes) {
  for (const Effort effort : {Effort::kQuick, Effort::kFull}) {
    const Entry one = entry(effort);
    EXPECT_EQ(one.runs.empty(), one.takes.empty()) << name_of(effort);
  }
  EXPECT_FALSE(entry(Effort::kFull).runs.empty());
}

TEST_P(EntryLaw, HasAClaimAndAPlotOrAMapForItsRuns) {
  for (const Effort effort : {Effort::kQuick, Effort::kFull}) {
    const Entry one = entry(effort);
    if (one.runs.empty()) continue;
    EXPECT_FALSE(one.claims.empty()) << name_of(effort);
    EXPECT_TRUE(one.grid || !one.plots.empty()) << name_of(effort);
  }
}

TEST_P(EntryLaw, GivesItsReasonsWhereItDiffers) {
  for (const Claim& claim : entry(Effort::kFull).claims)
    EXPECT_TRUE(!claim.differs || !claim.why.empty()) << claim.says;
}

TEST_P(EntryLaw, HasRunsThatCanBegin) {
  std::set<std::string> begun;
  TaskKeeper tasks;
  // Cells of a grid differ in two settings, which were tried when it was read.
  const auto is_first_cell = [](const Entry& one, const PlannedRun& run) {
    return !one.grid || run.name.ends_with(Grid::run_name("", one.grid->columns.values.front(),
                                                          one.grid->rows.values.front()));
  };
  for (const Effort effort : {Effort::kQuick, Effort::kFull}) {
    const Entry one = entry(effort);
    if (!one.needs.empty() && !std::filesystem::exists(one.needs)) continue;
    for (const PlannedRun& run : one.runs) {
      if (!is_first_cell(one, run)) continue;
      // Many runs are the same in both.
      if (!begun.insert(config_text(run.config, one.command)).second) continue;
#ifndef GOSSAMER_HAS_TORCH
      if (run.config.task == "network") continue;
#endif
      const auto experiment = prepare(one, run, tasks);
      EXPECT_TRUE(experiment) << experiment.error().message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EntryLaw, ::testing::ValuesIn(names_of_entries()), test_name);

TEST(EntryRegistry, SuggestsTheNearestName) {
  const Result<Entry> entry = find_entry("consenus", Effort::kQuick);
  ASSERT_FALSE(entry);
  EXPECT_THAT(entry.error().message, ::testing::HasSubstr("did you mean 'consensus'?"));
}

}  // namespace
}  // namespace gossamer::testing
