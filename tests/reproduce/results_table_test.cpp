#include "gossamer/reproduce/results_table.hpp"

#include <string>
#include <vector>

#include "tests/reproduce/made.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

const std::string kBegin(kResultsBegin);
const std::string kEnd(kResultsEnd);
const std::string kEmpty = "before\n" + kBegin + "\n" + kEnd + "\nafter\n";

std::string updated(const std::string& document, const std::vector<Reproduction>& reproductions,
                    OtherSections others = OtherSections::kKeep) {
  const Result<std::string> result = with_results(document, reproductions, others);
  EXPECT_TRUE(result) << result.error().message;
  return result ? result.value() : "";
}

TEST(ResultsTable, HasARowForEachClaim) {
  EXPECT_EQ(results_section(made("mine")),
            "**`mine`** a title (a paper)\n\n"
            "| claim | the paper | here | |\n|---|---|---|---|\n"
            "| it works | at most 2x | 1.5x | holds |\n");
  EXPECT_THAT(results_section(made("mine", "it works", false)), HasSubstr("| does not hold |\n"));
}

TEST(ResultsTable, SaysBelowWhySomethingDiffersEachReasonOnce) {
  Reproduction reproduction = made("mine");
  reproduction.entry.claims.resize(4, reproduction.entry.claims[0]);
  reproduction.verdicts.resize(4, reproduction.verdicts[0]);
  for (Claim& claim : reproduction.entry.claims)
    claim.differs = &claim != &reproduction.entry.claims[0];
  reproduction.entry.claims[1].why = reproduction.entry.claims[3].why = "because of\nthis";
  reproduction.entry.claims[2].why = "because of that";
  const std::string row = "| it works | at most 2x | 1.5x | ";
  EXPECT_THAT(
      results_section(reproduction),
      HasSubstr(row + "holds |\n" + row + "differs (1) |\n" + row + "differs (2) |\n" + row +
                "differs (1) |\n\n<details><summary>Why</summary>\n\n"
                "(1) because of this\n\n(2) because of that\n\n</details>\n"));
}

TEST(ResultsTable, KeepsTextFromOutsideInItsCell) {
  EXPECT_THAT(results_section(made("mine", "a|b <b>*x*\n| c |")),
              HasSubstr("| a\\|b \\<b>\\*x\\* \\| c \\| | at most"));
}

TEST(ResultsTable, StandsBetweenTheMarkersAndChangesNothingElse) {
  const std::string text = updated(kEmpty, {made("a"), made("b")});
  EXPECT_EQ(text, "before\n" + kBegin + "\n\n" + results_section(made("a")) + "\n" +
                      results_section(made("b")) + "\n" + kEnd + "\nafter\n");
  EXPECT_EQ(updated(text, {made("a"), made("b")}), text) << "twice is once";
}

TEST(ResultsTable, KeepsTheSectionsOfEntriesThatWereNotRun) {
  const std::string three = updated(kEmpty, {made("a"), made("b"), made("c")});
  EXPECT_EQ(updated(three, {made("b", "other words")}),
            updated(kEmpty, {made("a"), made("b", "other words"), made("c")}));
  EXPECT_EQ(updated(three, {made("d")}),
            updated(kEmpty, {made("a"), made("b"), made("c"), made("d")}));
  EXPECT_EQ(updated(three, {}), three);
}

TEST(ResultsTable, OfAllEntriesDropsTheOthers) {
  const std::string three = updated(kEmpty, {made("a"), made("b"), made("c")});
  EXPECT_EQ(updated(three, {made("c"), made("a")}, OtherSections::kDrop),
            updated(kEmpty, {made("c"), made("a")}));
}

TEST(ResultsTable, RefusesADocumentWithoutRoom) {
  for (const std::string& document :
       {std::string(), kBegin, kEnd, kEnd + "\n" + kBegin + "\n", std::string("text\n")}) {
    const Result<std::string> result = with_results(document, {}, OtherSections::kKeep);
    ASSERT_FALSE(result) << document;
    EXPECT_THAT(result.error().message, HasSubstr("put '" + kBegin + "' and '" + kEnd + "'"));
  }
}

}  // namespace
}  // namespace gossamer::testing
