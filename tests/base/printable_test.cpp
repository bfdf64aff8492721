#include "gossamer/base/text/printable.hpp"

#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("link to node 3 is down: it's \"silent\" ~ \\x1b"),
            "link to node 3 is down: it's \"silent\" ~ \\x1b");
  EXPECT_EQ(printable("Zürich, 東京, 𝄞"), "Zürich, 東京, 𝄞");
}

TEST(Printable, WritesControlCharactersAsNumbers) {
  EXPECT_EQ(printable("\x1b[2Jgone"), R"(\x1b[2Jgone)");
  EXPECT_EQ(printable("a\nb\r\tc"), R"(a\x0ab\x0d\x09c)");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), R"(\x00\x7f)");
  // U+009B is what ESC [ is, in one character; U+2028 ends a line.
  EXPECT_EQ(printable("\xc2\x9b"), R"(\xc2\x9b)");
  EXPECT_EQ(printable("\xe2\x80\xa8"), R"(\xe2\x80\xa8)");
}

TEST(Printable, WritesWhatIsNoUtf8AsNumbers) {
  EXPECT_EQ(printable("\x9b"), R"(\x9b)");
  EXPECT_EQ(printable("\xff!"), R"(\xff!)");
  EXPECT_EQ(printable("cut \xe6\x9d"), R"(cut \xe6\x9d)");
  EXPECT_EQ(printable("\xc3("), R"(\xc3()");
  EXPECT_EQ(printable("\xc0\x9b"), R"(\xc0\x9b)") << "longer than needed";
  EXPECT_EQ(printable("\xe0\x80\x9b"), R"(\xe0\x80\x9b)") << "longer than needed";
  EXPECT_EQ(printable("\xed\xa0\x80"), R"(\xed\xa0\x80)") << "half of a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)") << "behind the last";
}

}  // namespace
}  // namespace gossamer::testing
