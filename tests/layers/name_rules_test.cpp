#include "tests/layers/name_rules.hpp"

#include <string>
#include <vector>

#include "tests/layers/sources.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/algorithms/registry.hpp"

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> registered_names() {
  std::vector<std::string> names;
  for (const AlgorithmInfo& info : algorithms())
    names.push_back(info.name);
  return names;
}

TEST(AlgorithmNames, AreAskedForInAlgorithmsAlone) {
  const std::vector<std::string> names = registered_names();
  for (const std::string& path : source_paths())
    EXPECT_THAT(name_violations(path, source_text(path), names), IsEmpty());
}

TEST(AlgorithmNames, AreStillWhereTheyMayBeByRight) {
  for (const NamedByRight& right : names_by_right()) {
    EXPECT_THAT(source_text(right.path), HasSubstr(fmt::format("\"{}\"", right.name)))
        << right.path << " need not be excused any more";
  }
}

// What follows shows that the checker can fail.

TEST(NameRules, RefuseAComparisonAListAndTheBeginningOfASpec) {
  const std::vector<std::string> names = {"choco", "q1"};
  EXPECT_THAT(name_violations("gossamer/plan/x.cpp", "\nif (name == \"choco\") {}\n", names),
              ElementsAre("gossamer/plan/x.cpp:2: asks for choco by name: say in "
                          "gossamer/algorithms what makes it different"));
  EXPECT_THAT(name_violations("apps/x.cpp", "is({\"q1\", \"choco\"})", names), SizeIs(2));
  EXPECT_THAT(name_violations("apps/x.cpp", "spec.starts_with(\"choco:\")", names), SizeIs(1));
}

TEST(NameRules, LetSentencesAndLongerWordsPass) {
  EXPECT_THAT(name_violations("apps/x.cpp", "\"take choco or q1\", \"choco2\", \"q11\", choco",
                              {{"choco", "q1"}}),
              IsEmpty());
}

TEST(NameRules, LetAlgorithmsNameThemselves) {
  EXPECT_THAT(name_violations("gossamer/algorithms/x.cpp", ".name = \"choco\"", {{"choco"}}),
              IsEmpty());
}

TEST(NameRules, ExcuseOneNameInOnePlace) {
  const std::string text = "algorithm = \"choco\"; other = \"dcd\";";
  EXPECT_THAT(name_violations("gossamer/settings/config.hpp", text, {{"choco", "dcd"}}), SizeIs(1));
}

}  // namespace
}  // namespace gossamer::testing
