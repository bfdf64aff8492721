// What the file of an entry may say.

#include "gossamer/reproduce/entry.hpp"

#include <string>
#include <vector>

#include "tests/reproduce/entries.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string refusal_of(const std::string& text, Effort effort = Effort::kQuick) {
  const Result<Entry> entry = parse_entry("mine", "mine.toml", text, effort);
  if (entry) return "not refused";
  EXPECT_THAT(entry.error().message, StartsWith("mine.toml: line "));
  return entry.error().message;
}

std::vector<std::string> names_of(const Entry& entry) {
  std::vector<std::string> names;
  for (const PlannedRun& run : entry.runs)
    names.push_back(run.name);
  return names;
}

// With one more claim, of these lines.
std::string claiming(const std::string& lines) {
  return kHeading + kBody + kClaim + lines;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), by);
}

TEST(Entry, HasWhatItsFileSays) {
  const Entry entry = entry_of(kHeading + kBody);
  EXPECT_EQ(entry.name, "mine");
  EXPECT_EQ(entry.title, "a title");
  EXPECT_EQ(entry.paper, "a paper");
  EXPECT_EQ(entry.about, "what was done");
  EXPECT_EQ(entry.command, Command::kConsensus);
  EXPECT_THAT(names_of(entry), ElementsAre("one", "two"));
  ASSERT_EQ(entry.plots.size(), 1u);
  EXPECT_EQ(entry.plots[0].x, "round");
  EXPECT_EQ(entry.plots[0].y, "error");
  EXPECT_TRUE(entry.plots[0].is_log);
  ASSERT_EQ(entry.claims.size(), 1u);
  const Claim& claim = entry.claims[0];
  EXPECT_EQ(claim.says, "one is faster");
  EXPECT_EQ(claim.claimed, "faster");
  EXPECT_EQ(claim.run, "one");
  EXPECT_EQ(claim.over, "two");
  EXPECT_EQ(claim.under, "");
  EXPECT_EQ(claim.measure, Measure::kRoundsTo);
  EXPECT_EQ(claim.metric, "error");
  EXPECT_EQ(claim.target, 1e-3);
  EXPECT_EQ(claim.at_most, 1.0);
  EXPECT_EQ(claim.at_least, std::nullopt);
  EXPECT_FALSE(claim.differs);
}

TEST(Entry, IsCalledAsItsFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path("my claims.toml");
  ASSERT_TRUE(write_file(path, as_bytes(kHeading + kBody)));
  const Result<Entry> entry = read_entry(path, Effort::kQuick);
  ASSERT_TRUE(entry) << entry.error().message;
  EXPECT_EQ(entry.value().name, "my claims");
  EXPECT_FALSE(read_entry(folder.path("none.toml"), Effort::kQuick));
}

TEST(Entry, SettingsOfARunWinOverThoseOfTheEffortAndTheseOverTheShared) {
  const std::string text = kHeading + "takes = { quick = \"1 s\", full = \"1 h\" }\n" + R"(
[quick]
dim = 6
[full]
dim = 7
gamma = 0.25
)" + kBody;
  const Entry quick = entry_of(text);
  EXPECT_EQ(quick.takes, "1 s");
  EXPECT_EQ(quick.runs[0].config.task, "consensus");
  EXPECT_EQ(quick.runs[0].config.nodes, 4u);
  EXPECT_EQ(quick.runs[0].config.dim, 6u);
  EXPECT_EQ(quick.runs[0].config.gamma, "1");
  const Entry full = entry_of(text, Effort::kFull);
  EXPECT_EQ(full.takes, "1 h");
  EXPECT_EQ(full.runs[0].config.dim, 7u);
  EXPECT_EQ(full.runs[0].config.gamma, "0.25");
  EXPECT_EQ(full.runs[1].config.gamma, "0.5");
}

TEST(Entry, HasRunsAndClaimsThatAreForOneEffortAlone) {
  const std::string text = kHeading + kBody + R"(
[[run]]
name = "long"
only = "full"
[[claim]]
only = "full"
says = "it works"
claimed = "works"
run = "long"
measure = "diverges"
expected = false
[[run]]
name = "short"
only = "quick"
)";
  const Entry quick = entry_of(text);
  EXPECT_THAT(names_of(quick), ElementsAre("one", "two", "short"));
  EXPECT_EQ(quick.claims.size(), 1u);
  const Entry full = entry_of(text, Effort::kFull);
  EXPECT_THAT(names_of(full), ElementsAre("one", "two", "long"));
  ASSERT_EQ(full.claims.size(), 2u);
  EXPECT_FALSE(full.claims[1].expected);
}

TEST(Entry, CanBeForFullEffortAlone) {
  const std::string text = kHeading + R"(
needs = "a-file"
[settings]
dim = 3
[[run]]
name = "one"
only = "full"
)" + kClaim + "only = \"full\"\nmeasure = \"value\"\nmetric = \"error\"\nat_most = 1\nat = 20\n";
  EXPECT_THAT(entry_of(text).runs, IsEmpty());
  EXPECT_THAT(entry_of(text).claims, IsEmpty());
  const Entry full = entry_of(text, Effort::kFull);
  EXPECT_EQ(full.needs, "a-file");
  EXPECT_EQ(full.claims.at(0).at, 20u);
}

TEST(Entry, OfTrainingIsTheDefault) {
  const Entry entry = entry_of(R"(
title = "t"
paper = "p"
about = "a"
[settings]
task = "quadratic"
[[run]]
name = "one"
)" + kClaim + "measure = \"diverges\"\n");
  EXPECT_EQ(entry.command, Command::kTrain);
  EXPECT_TRUE(entry.claims.at(0).expected);
}

TEST(Entry, NeedsAHeading) {
  for (const std::string key : {"title", "paper", "about"}) {
    const std::string text = replaced(kHeading, "\n" + key + " =", "\n# ") + kBody;
    EXPECT_THAT(refusal_of(text), HasSubstr(key + ": is missing"));
  }
  EXPECT_THAT(refusal_of(replaced(kHeading, "\"consensus\"", "\"list\"") + kBody),
              HasSubstr("line 5: command: must be train or consensus"));
}

TEST(Entry, NamesAnUnknownKeyAndTheNearest) {
  EXPECT_THAT(refusal_of(kHeading + "titel = \"a\"\n" + kBody),
              HasSubstr("line 6: unknown key 'titel'; did you mean 'title'?"));
  EXPECT_THAT(refusal_of(kHeading + kBody + "[quick]\nround = 5\n"), HasSubstr("'rounds'"));
  EXPECT_THAT(refusal_of(kHeading + kBody + "[full]\nround = 5\n"), HasSubstr("'rounds'"));
  EXPECT_THAT(refusal_of(kHeading + kBody + "[[run]]\nname = \"x\"\nsetting = {}\n"),
              HasSubstr("'settings'"));
  EXPECT_THAT(refusal_of(kHeading + kBody + "[[plot]]\nx = \"rounds\"\ny = \"error\"\nz = \"a\"\n"),
              HasSubstr("unknown key 'z'"));
  EXPECT_THAT(refusal_of(claiming("measure = \"diverges\"\nexpect = true\n")),
              HasSubstr("'expected'"));
  EXPECT_THAT(refusal_of(kHeading + "takes = { slow = \"1 h\" }\n" + kBody), HasSubstr("'slow'"));
}

TEST(Entry, RefusesWhatIsNoToml) {
  const Result<Entry> entry = parse_entry("mine", "mine.toml", "title = \n", Effort::kQuick);
  ASSERT_FALSE(entry);
  EXPECT_THAT(entry.error().message, StartsWith("mine.toml: line 1, column "));
}

TEST(Entry, NeedsRunsWithNamesOfTheirOwn) {
  EXPECT_THAT(refusal_of(kHeading + "[settings]\ndim = 3\n"), HasSubstr("needs a run"));
  EXPECT_THAT(refusal_of(kHeading + kBody + "[[run]]\nsettings = {}\n"),
              HasSubstr("run.name: is missing"));
  EXPECT_THAT(refusal_of(kHeading + kBody + "[[run]]\nname = \"two\"\n"),
              HasSubstr("run.name: there are two runs 'two'"));
  EXPECT_THAT(refusal_of(kHeading + kBody + "[[run]]\nname = \"x\"\nonly = \"slow\"\n"),
              HasSubstr("run.only: must be quick or full"));
  EXPECT_THAT(refusal_of(kHeading + kBody + "[[run]]\nname = \"x\"\nsettings = { nodes = -1 }\n"),
              HasSubstr("nodes: must be a whole number from 1"));
  EXPECT_THAT(
      refusal_of(kHeading + kBody + "[[run]]\nname = \"x\"\nsettings = { task = \"logistic\" }\n"),
      HasSubstr("consensus is what command"));
}

TEST(Entry, RefusesPlotsOfWhatIsNotThere) {
  const auto refused = [](const std::string& plot) {
    return refusal_of(kHeading + kBody + "[[plot]]\n" + plot);
  };
  EXPECT_THAT(refused("x = \"time\"\ny = \"error\"\n"),
              HasSubstr("plot.x: must be rounds, bytes, bits, seconds or epoch"));
  EXPECT_THAT(refused("y = \"error\"\n"), HasSubstr("plot.x"));
  EXPECT_THAT(refused("x = \"rounds\"\n"), HasSubstr("plot.y: is missing"));
  EXPECT_THAT(refused("x = \"rounds\"\ny = \"eror\"\n"), HasSubstr("did you mean 'error'?"));
  EXPECT_THAT(refused("x = \"rounds\"\ny = \"objective\"\n"), HasSubstr("unknown metric"));
  EXPECT_THAT(refused("x = \"seconds\"\ny = \"error\"\n"), HasSubstr("set network = \"sim\""));
  EXPECT_THAT(refused("x = \"rounds\"\ny = \"error\"\nscale = \"square\"\n"),
              HasSubstr("plot.scale: must be log or linear"));
  EXPECT_THAT(refused("x = \"rounds\"\ny = \"error\"\nruns = [\"three\"]\n"),
              HasSubstr("unknown run 'three'"));
  EXPECT_THAT(refused("x = \"rounds\"\ny = \"error\"\nruns = \"one\"\n"),
              HasSubstr("must be a list of texts"));
}

TEST(Entry, RefusesClaimsThatCannotBeJudged) {
  const std::string value = "measure = \"value\"\nmetric = \"error\"\n";
  const std::string to = "measure = \"rounds-to\"\nmetric = \"error\"\n";
  const auto refused = [](const std::string& lines) { return refusal_of(claiming(lines)); };
  EXPECT_EQ(refused(value + "at_most = 1\n"), "not refused");
  EXPECT_THAT(refused(""), HasSubstr("claim.measure: is missing"));
  EXPECT_THAT(refused("measure = \"round-to\"\n"), HasSubstr("did you mean 'rounds-to'?"));
  EXPECT_THAT(refused(value), HasSubstr("a claim needs a bound"));
  EXPECT_THAT(refused("measure = \"value\"\nat_most = 1\n"), HasSubstr("metric: is missing"));
  EXPECT_THAT(refused("measure = \"value\"\nmetric = \"loss\"\nat_most = 1\n"),
              HasSubstr("unknown metric 'loss'"));
  EXPECT_THAT(refused(to + "at_most = 1\n"), HasSubstr("claim.target: is missing"));
  EXPECT_THAT(refused(to + "target = \"1\"\nat_most = 1\n"), HasSubstr("must be a finite number"));
  EXPECT_THAT(refused(to + "target = nan\nat_most = 1\n"), HasSubstr("must be a finite number"));
  EXPECT_THAT(refused(to + "target = 1\nat = 5\nat_most = 1\n"), HasSubstr("claim.at: is for"));
  EXPECT_THAT(refused(value + "target = 1\nat_most = 1\n"), HasSubstr("claim.target: is for"));
  EXPECT_THAT(refused(value + "at = 1.5\nat_most = 1\n"), HasSubstr("claim.at: must be a round"));
  EXPECT_THAT(refused(value + "at = -1\nat_most = 1\n"), HasSubstr("claim.at: must be a round"));
  EXPECT_THAT(refused(value + "expected = true\nat_most = 1\n"), HasSubstr("claim.expected: is"));
  EXPECT_THAT(refused(value + "over = \"three\"\nat_most = 1\n"), HasSubstr("unknown run 'three'"));
  EXPECT_THAT(refused(value + "over = \"two\"\nunder = \"two\"\nat_most = 1\n"),
              HasSubstr("'over' or 'under', not both"));
  EXPECT_THAT(refused(value + "at_most = 1\ndiffers = true\n"), HasSubstr("needs a reason"));
  EXPECT_THAT(refused(value + "at_most = 1\ndiffers = \"yes\"\n"), HasSubstr("true or false"));
  EXPECT_THAT(refused("measure = \"seconds-to\"\nmetric = \"error\"\ntarget = 1\nat_most = 1\n"),
              HasSubstr("set network = \"sim\""));
}

TEST(Entry, RefusesToMeasureDivergence) {
  const auto refused = [](const std::string& lines) {
    return refusal_of(claiming("measure = \"diverges\"\n" + lines));
  };
  EXPECT_EQ(refused("expected = false\n"), "not refused");
  EXPECT_THAT(refused("at_most = 1\n"), HasSubstr("write expected = true or false"));
  EXPECT_THAT(refused("over = \"two\"\n"), HasSubstr("is not divided"));
  EXPECT_THAT(refused("metric = \"error\"\n"), HasSubstr("claim.metric: runs diverge as a whole"));
}

TEST(Entry, RefusesAClaimOfQuickAboutARunOfFull) {
  const std::string text = kHeading + kBody + "[[run]]\nname = \"long\"\nonly = \"full\"\n" +
                           replaced(kClaim, "\"one\"", "\"long\"") + "measure = \"diverges\"\n";
  EXPECT_THAT(refusal_of(text), HasSubstr("claim.run: unknown run 'long'"));
  EXPECT_EQ(refusal_of(text, Effort::kFull), "not refused");
}

TEST(Entry, NeedsAClaim) {
  EXPECT_THAT(refusal_of(kHeading + "[[run]]\nname = \"one\"\n"), HasSubstr("needs a claim"));
}

}  // namespace
}  // namespace gossamer::testing
