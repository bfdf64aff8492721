// Files whose depth would take all of the stack.
#include "gossamer/settings/toml_depth.hpp"

#include <string>
#include <sys/stat.h>

#include "tests/support/temporary_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/settings/config.hpp"
#include "gossamer/settings/peers.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

std::string depth_refusal(const std::string& text) {
  const Result<void> flat = refuse_deep_toml(text);
  return flat ? "" : flat.error().message;
}

constexpr std::size_t kDeep = 50'000;

TEST(DeepToml, IsRefusedBeforeItIsParsed) {
  const std::string parts = repeated("a.", kDeep) + "a";
  for (const std::string& text :
       {parts + " = 1\n", "[" + parts + "]\n", "[[" + parts + "]]\n", "x = {" + parts + " = 1}\n",
        "x = " + repeated("[", kDeep) + repeated("]", kDeep) + "\n",
        "x = " + repeated("{ a = ", kDeep) + "1" + repeated("}", kDeep) + "\n"}) {
    const TemporaryFile file("nodes = 3\n" + text);
    RunConfig config;
    const Result<void> read = read_config(config, file.path());
    ASSERT_FALSE(read) << text.substr(0, 20);
    EXPECT_THAT(read.error().message,
                AllOf(HasSubstr(file.path() + ": line 2: "), HasSubstr("at most 32")));
    EXPECT_FALSE(read_peers(file.path()));
  }
}

TEST(DeepToml, IsSeenThroughQuotesBlanksAndComments) {
  EXPECT_THAT(depth_refusal(repeated("\"=\" . '[#' .", kDeep)), HasSubstr("a key has at most"));
  EXPECT_THAT(depth_refusal(repeated("\"\\\"\".", kDeep)), HasSubstr("a key has at most"));
  EXPECT_THAT(
      depth_refusal("x = \"\"\"many \\\"\"\" lines\n\"\"\"\"\"\n# \"\n" + repeated("a.", kDeep)),
      AllOf(HasSubstr("line 4: "), HasSubstr("a key has at most")));
  EXPECT_THAT(depth_refusal("x = [ # ]\n" + repeated("[\n", kDeep)), HasSubstr("nested at most"));
}

TEST(DeepToml, IsNotWhatIsOnlyLong) {
  const std::string dots = repeated("a.", kDeep);
  EXPECT_EQ(depth_refusal("x = [" + repeated("0.5, ", kDeep) + "]\n"), "");
  EXPECT_EQ(depth_refusal("x = \"" + dots + "\"\ny = '" + dots + "'\n"), "");
  EXPECT_EQ(depth_refusal("x = '''\n" + dots + "[[[[\n'''\n# " + dots + "\n"), "");
  EXPECT_EQ(depth_refusal(repeated("[a.b]\nc.d = [[1.0], [2.0]]\n", kDeep)), "");
}

TEST(DeepToml, BeginsBehindTheThirtySecondPart) {
  EXPECT_EQ(depth_refusal(repeated("a.", 31) + "a = 1"), "");
  EXPECT_NE(depth_refusal(repeated("a.", 32) + "a = 1"), "");
  EXPECT_EQ(depth_refusal("x = " + repeated("[", 32)), "");
  EXPECT_NE(depth_refusal("x = " + repeated("[", 33)), "");
}

TEST(ConfigFile, IsNoPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  RunConfig config;
  const Result<void> read = read_config(config, folder.path("pipe"));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("is a pipe, and no regular file"));
}

}  // namespace
}  // namespace gossamer::testing
