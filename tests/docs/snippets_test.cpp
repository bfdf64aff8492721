// What pages show, as a reader would copy it. That their C++ compiles is shown by this program
// being there: write_snippets.cpp makes one of its sources from the pages.

#include <set>
#include <string>
#include <vector>

#include "tests/docs/cpp_snippets.hpp"
#include "tests/docs/markdown.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Docs, HaveExcerptsThatAreInTheirFiles) {
  int excerpts = 0;
  for (const std::string& page : pages()) {
    for (const FencedBlock& block : fenced_blocks(page, repository_text(page))) {
      const auto file = excerpted_file(block);
      if (!file) continue;
      ++excerpts;
      EXPECT_TRUE(is_excerpt(block.code, repository_text(*file)))
          << page << ":" << block.line << " is not in " << *file;
    }
  }
  EXPECT_GT(excerpts, 0);
}

// A block of `c++` would be passed over by whoever looks for `cpp`.
TEST(Docs, NameTheLanguagesOfTheirBlocksInOneWay) {
  const std::set<std::string> languages = {"", "cmake", "cpp", "json", "sh", "toml"};
  for (const std::string& page : pages()) {
    for (const FencedBlock& block : fenced_blocks(page, repository_text(page)))
      EXPECT_THAT(languages, Contains(block.language)) << page << ":" << block.line;
  }
}

// What follows shows what counts as what.

TEST(Snippets, HaveTheirPlaceAndTheNoteBeforeThem) {
  const std::vector<FencedBlock> blocks = fenced_blocks(
      "a.md", "Text.\n\n<!-- given:\nint x;\n-->\n```cpp\nf(x);\ng(x);\n```\n\n```\nend\n```\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].line, 7u);
  EXPECT_EQ(blocks[0].language, "cpp");
  EXPECT_EQ(blocks[0].code, "f(x);\ng(x);\n");
  EXPECT_THAT(blocks[0].note, HasSubstr("given:\nint x;\n"));
  EXPECT_EQ(blocks[1].language, "");
  EXPECT_EQ(blocks[1].note, "");
}

TEST(Snippets, AreCompiledInAFunctionBehindWhatIsGiven) {
  const std::string source = source_of({{.page = "a.md",
                                         .line = 7,
                                         .language = "cpp",
                                         .code = "#include <map>\nf(x);\n",
                                         .note = " given: int x; "}});
  EXPECT_THAT(source, AllOf(HasSubstr("#include <map>\n\n"),
                            HasSubstr("snippet() {\nint x;\n#line 7 \"a.md\"\n\nf(x);\n}")));
}

TEST(Snippets, AreCompiledAsTheyStandIfTheyArePrograms) {
  const std::string source = source_of(
      {{.page = "a.md", .line = 2, .language = "cpp", .code = "int main() {}\n", .note = ""}});
  EXPECT_THAT(source, AllOf(HasSubstr("{\n\n#line 2 \"a.md\"\nint main() {}\n}"),
                            Not(HasSubstr("snippet()"))));
}

TEST(Snippets, AreNotCompiledIfTheyAreExcerpts) {
  const FencedBlock block{.page = "a.md",
                          .line = 2,
                          .language = "cpp",
                          .code = "f();\n",
                          .note = " excerpt of a/b.cpp "};
  EXPECT_EQ(excerpted_file(block), "a/b.cpp");
  EXPECT_THAT(source_of({block}), Not(HasSubstr("f();")));
}

TEST(Excerpts, AreLinesOfTheFileInTheirOrder) {
  const std::string file = "int f() {\n  a();  // why\n\n  b();\n  c();\n}\n";
  for (const char* const code :
       {"a();\nb();", "a();    // otherwise said\nb();\n", "  b();", "// Also:\na();\nb();\nc();",
        "a();\n// ...\nc();", "int f() {\n// ...\n}"}) {
    EXPECT_TRUE(is_excerpt(code, file)) << code;
  }
  for (const char* const code :
       {"", "// a\n", "b();\na();", "a();\nc();", "c();\n// ...\na();", "a()", "d();"}) {
    EXPECT_FALSE(is_excerpt(code, file)) << code;
  }
}

}  // namespace
}  // namespace gossamer::testing
