#include "tests/layers/size_rules.hpp"

#include <algorithm>
#include <string>

#include "tests/layers/sources.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

LinesOfFiles lines_of_sources() {
  LinesOfFiles files;
  for (const std::string& path : source_paths()) {
    const std::string text = source_text(path);
    files[path] = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
  return files;
}

TEST(Sizes, OfFilesAndFoldersAreSmall) {
  const LinesOfFiles files = lines_of_sources();
  // Else its rule would hold for want of a file.
  EXPECT_TRUE(files.contains(kLoopFile));
  EXPECT_THAT(size_violations(files), IsEmpty());
}

// What follows shows that the checker can fail.

/// A folder with so many sources, and a header for the last.
LinesOfFiles folder_of(std::size_t files) {
  LinesOfFiles tree = {{"apps/full/last.hpp", 10}};
  for (std::size_t i = 1; i < files; ++i)
    tree[fmt::format("apps/full/part_{}.cpp", i)] = 10;
  return tree;
}

TEST(SizeRules, RefuseAFileWithALineTooMany) {
  EXPECT_THAT(size_violations({{"apps/x.cpp", 350}, {"gossamer/base/y.hpp", 350}}), IsEmpty());
  EXPECT_THAT(size_violations({{"apps/x.cpp", 351}, {"gossamer/base/y.hpp", 1000}}),
              ElementsAre("apps/x.cpp: 351 lines; at most 350",
                          "gossamer/base/y.hpp: 1000 lines; at most 350"));
}

TEST(SizeRules, RefuseAFolderWithAFileTooMany) {
  EXPECT_THAT(size_violations(folder_of(25)), IsEmpty());
  EXPECT_THAT(size_violations(folder_of(26)), ElementsAre("apps/full: 26 files; at most 25"));
}

TEST(SizeRules, CountAFoldersOwnSourcesAlone) {
  LinesOfFiles tree = folder_of(25);
  tree["apps/full/inner/x.cpp"] = 10;
  tree["apps/y.cpp"] = 10;
  tree["apps/full/registry.def"] = 1000;
  EXPECT_THAT(size_violations(tree), IsEmpty());
}

TEST(SizeRules, RefuseALoopThatIsNotShort) {
  EXPECT_THAT(size_violations({{kLoopFile, 199}}), IsEmpty());
  EXPECT_THAT(size_violations({{kLoopFile, 200}}),
              ElementsAre("gossamer/train/node_run.cpp: 200 lines; at most 199"));
}

}  // namespace
}  // namespace gossamer::testing
