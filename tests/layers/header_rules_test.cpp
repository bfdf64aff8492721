#include "tests/layers/header_rules.hpp"

#include <string>

#include "tests/layers/sources.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Headers, AreFirstInTheirOwnSource) {
  for (const std::string& path : source_paths()) {
    const bool has_header = source_exists(path.substr(0, path.rfind('.')) + ".hpp");
    EXPECT_THAT(header_violations(path, source_text(path), has_header), IsEmpty());
  }
}

// What follows shows that the checker can fail.

TEST(HeaderRules, LetCommentsStandFirst) {
  EXPECT_THAT(header_violations("apps/x.hpp", "// why\n/* what */\n#pragma once  // so\n", true),
              IsEmpty());
  EXPECT_THAT(header_violations("apps/x.cpp", "// why\n\n#include \"apps/x.hpp\"  // so\n", true),
              IsEmpty());
}

TEST(HeaderRules, RefuseAHeaderThatCanBeIncludedTwice) {
  EXPECT_THAT(header_violations("apps/x.hpp", "#include <string>\n#pragma once\n", true),
              ElementsAre("apps/x.hpp: a header begins with #pragma once"));
  EXPECT_EQ(header_violations("apps/x.hpp", "// #pragma once\n", true).size(), 1u);
}

TEST(HeaderRules, RefuseASourceThatPreparesTheGroundForItsHeader) {
  for (const char* const text :
       {"", "#include <string>\n#include \"apps/x.hpp\"\n", "#define X\n#include \"apps/x.hpp\"\n",
        "#include \"apps/y.hpp\"\n", "// #include \"apps/x.hpp\"\n"}) {
    EXPECT_THAT(header_violations("apps/x.cpp", text, true),
                ElementsAre("apps/x.cpp: begins with #include \"apps/x.hpp\", its own header"))
        << text;
  }
}

TEST(HeaderRules, AskNothingOfASourceWithoutAHeader) {
  EXPECT_THAT(header_violations("apps/x.cpp", "#include <string>\n", false), IsEmpty());
}

}  // namespace
}  // namespace gossamer::testing
