// What pages say of this repository is there.

#include "tests/layers/page_rules.hpp"

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/layers/sources.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The changelog is left out: it tells of what was.
std::vector<std::string> pages(const std::set<std::string>& known) {
  std::vector<std::string> all = {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"};
  for (const std::string& path : known) {
    if (path.starts_with("docs/") && path.ends_with(".md")) all.push_back(path);
  }
  return all;
}

TEST(Pages, MentionPathsThatAreThere) {
  const std::set<std::string> known = repository_paths();
  EXPECT_THAT(pages(known), Contains("docs/algorithms/choco.md"));
  for (const std::string& page : pages(known))
    EXPECT_THAT(missing_paths(page, source_text(page), known), IsEmpty());
}

TEST(Pages, ThePictureShowsEveryLayerAboveAllThatItSees) {
  EXPECT_THAT(picture_violations(source_text("ARCHITECTURE.md"), layers()), IsEmpty());
}

TEST(Pages, GoldenNumbersAreHeldByTestsThatAreThere) {
  std::string tests;
  for (const std::string& path : repository_paths()) {
    if (path.starts_with("tests/") && path.ends_with(".cpp")) tests += source_text(path);
  }
  const std::string page = source_text("docs/golden_numbers.md");
  const std::regex name("`([A-Z][A-Za-z]+)\\.([A-Z][A-Za-z0-9]+)`");
  int count = 0;
  for (auto found = std::sregex_iterator(page.begin(), page.end(), name);
       found != std::sregex_iterator(); ++found, ++count) {
    const std::string named = fmt::format("({}, {})", found->str(1), found->str(2));
    EXPECT_NE(tests.find(named), std::string::npos) << found->str();
  }
  EXPECT_GT(count, 20);
}

// What follows shows that the checkers can fail.

const std::set<std::string> kSome = {"docs",
                                     "docs/a.md",
                                     "docs/b",
                                     "docs/b/c.md",
                                     "gossamer",
                                     "gossamer/wire",
                                     "gossamer/wire/frame.hpp",
                                     "tests",
                                     "tests/wire",
                                     "README.md"};

TEST(PageRules, LetPagesMentionWhatIsThere) {
  EXPECT_THAT(missing_paths("docs/a.md",
                            "[one](b/c.md#top) [two](../README.md) [three](https://x.org/docs/z)\n"
                            "`gossamer/wire/`, docs/b/c.md. (wire/frame.hpp) `wire/frame.*`\n"
                            "`gossamer/wire/NAME.cpp` tests/wire, /srv/gossamer/peers.toml\n"
                            "wire/less, and/or, [](Network& net) { return a[3](b); }\n",
                            kSome),
              IsEmpty());
}

TEST(PageRules, NameWhatIsMissingAndWhere) {
  EXPECT_THAT(missing_paths("docs/b/c.md",
                            "[one](../a.md)\n[two](a.md) `gossamer/math`, wire/link.hpp.\n", kSome),
              ElementsAre("docs/b/c.md:2: there is no docs/b/a.md",
                          "docs/b/c.md:2: there is no gossamer/math",
                          "docs/b/c.md:2: there is no gossamer/wire/link.hpp"));
  EXPECT_EQ(missing_paths("README.md", "`wire/link.*` tests/base/NAME.cpp", kSome).size(), 2u);
}

constexpr const char* kPicture =
    "    apps/      the program\n      console/  tables\n\n    gossamer/  the library\n\n"
    "      train/   runs\n\n      math/    vectors\n      wire/    frames\n                "
    "bytes\n\n"
    "      base/    results\n\nText about nothing/ in it.\n";

TEST(PageRules, LetAPictureShowWhatCMakeLinks) {
  EXPECT_THAT(picture_violations(kPicture, {{"base", {}},
                                            {"math", {"base"}},
                                            {"wire", {"base"}},
                                            {"train", {"math", "wire", "base"}}}),
              IsEmpty());
}

TEST(PageRules, RefuseAPictureOfSomethingElse) {
  EXPECT_THAT(
      picture_violations(
          kPicture,
          {{"base", {}}, {"math", {"base", "wire"}}, {"wire", {"base"}}, {"plan", {"base"}}}),
      ElementsAre("math/ sees wire/, and does not stand above it",
                  "the picture does not show plan/",
                  "the picture shows train/, which is no layer"));
}

}  // namespace
}  // namespace gossamer::testing
