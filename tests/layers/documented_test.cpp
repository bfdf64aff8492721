#include "tests/layers/documented.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Documented, AcceptsACommentBeforeEachGroup) {
  EXPECT_THAT(undocumented("x.hpp", R"(#pragma once

#include <string>

namespace gossamer {

class Elsewhere;

static_assert(sizeof(int) == 4,
              "as everywhere");

/// What it is.
template <typename T>
class [[nodiscard]] Thing {
 public:
  Thing();

 private:
  int x_;
};

/// A block of numbers, and how one is made.
using Block = int;
[[nodiscard]] Block make_block(int a,
                               int b);

}  // namespace gossamer
)"),
              IsEmpty());
}

TEST(Documented, NamesWhatHasNone) {
  EXPECT_THAT(undocumented("x.hpp", "namespace a {\n\nstruct S {\n  int x;\n};\n\n}\n"),
              ElementsAre("x.hpp:3: no /// says what this is for: struct S {"));
  for (const char* const declaration :
       {"class S final : public T {", "enum class E { kA };", "using V = int;", "int f();",
        "[[nodiscard]] int f();", "template <typename T>", "inline constexpr int kX = 1;",
        "struct S {};", "// For readers.\nint f();", "namespace a {\nint f();",
        "class X;\nint f();"}) {
    EXPECT_EQ(undocumented("x.hpp", declaration).size(), 1u) << declaration;
  }
}

TEST(Documented, LooksAtEveryGroup) {
  EXPECT_EQ(undocumented("x.hpp", "/// One.\nint f();\n\nint g();\n\nint h();\n").size(), 2u);
}

}  // namespace
}  // namespace gossamer::testing
