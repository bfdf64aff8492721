// What every entry that comes with the program promises. Whether its claims hold, the tests
// Reproduce.NAME say, which run it.

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/reproduce/registry.hpp"
#include "gossamer/reproduce/reproduction.hpp"

namespace gossamer::testing {
namespace {

class EntryLaw : public ::testing::TestWithParam<std::string> {
 protected:
  static Entry entry(Effort effort) {
    const Result<Entry> found = find_entry(GetParam(), effort);
    EXPECT_TRUE(found) << found.error().message;
    return found ? found.value() : Entry{};
  }
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
  for (const Effort effort : {Effort::kQuick, Effort::kFull}) {
    const Entry one = entry(effort);
    if (!one.needs.empty() && !std::filesystem::exists(one.needs)) continue;
    for (const PlannedRun& run : one.runs) {
      // Many runs are the same in both.
      if (!begun.insert(config_text(run.config, one.command)).second) continue;
#ifndef GOSSAMER_HAS_TORCH
      if (run.config.task == "network") continue;
#endif
      const auto experiment = prepare(one, run);
      EXPECT_TRUE(experiment) << experiment.error().message;
    }
  }
}

std::vector<std::string> names_of_entries() {
  std::vector<std::string> names;
  for (const StoredEntry& stored : stored_entries())
    names.emplace_back(stored.name);
  return names;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& entry) {
  std::string name = entry.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EntryLaw, ::testing::ValuesIn(names_of_entries()), test_name);

TEST(EntryRegistry, SuggestsTheNearestName) {
  const Result<Entry> entry = find_entry("consenus", Effort::kQuick);
  ASSERT_FALSE(entry);
  EXPECT_THAT(entry.error().message, ::testing::HasSubstr("did you mean 'consensus'?"));
}

}  // namespace
}  // namespace gossamer::testing
