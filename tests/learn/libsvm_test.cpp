#include "gossamer/learn/convex/libsvm.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <sys/stat.h>

#include "tests/support/temporary_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFile;

Dataset read(std::string_view text) {
  return read_libsvm(TemporaryFile(text).path()).value();
}

/// The refusal of a file with this text, without the path before the line.
std::string refusal_of_file(std::string_view text) {
  const TemporaryFile file(text);
  const Result<Dataset> set = read_libsvm(file.path());
  if (set) return "";
  const std::string& sentence = set.error().message;
  return sentence.starts_with(file.path()) ? sentence.substr(file.path().size()) : sentence;
}

TEST(Libsvm, ReadsLabelsAndFeatures) {
  const Dataset set = read("+1 1:0.5 3:-2e-1\n-1 2:+3\n0.25 1:1 2:1 3:1\n");
  EXPECT_EQ(set.columns(), 3u);
  EXPECT_THAT(set.labels(), ElementsAre(1, -1, 0.25));
  EXPECT_THAT(set.row(0).values, ElementsAre(0.5f, 0.0f, -0.2f));
  EXPECT_THAT(set.row(1).values, ElementsAre(0.0f, 3.0f, 0.0f));
  EXPECT_THAT(set.row(2).values, ElementsAre(1.0f, 1.0f, 1.0f));
}

TEST(Libsvm, SkipsBlankLinesAndComments) {
  const Dataset set = read("# two samples\n\n1 1:1 # the first\n \t \r\n-1 1:2\t2:3  \r\n#end");
  EXPECT_THAT(set.labels(), ElementsAre(1, -1));
  EXPECT_THAT(set.row(1).values, ElementsAre(2.0f, 3.0f));
}

TEST(Libsvm, NeedsNoNewlineAtTheEnd) {
  EXPECT_THAT(read("1 1:4").row(0).values, ElementsAre(4.0f));
}

TEST(Libsvm, TakesASampleWithoutFeaturesForZeros) {
  const Dataset set = read("1\n-1 1:2\n");
  EXPECT_THAT(set.row(0).values, ElementsAre(0.0f));
}

TEST(Libsvm, LeavesASparseFileSparse) {
  const Dataset set = read("1 1:1 47236:2\n-1\n-1 500:3\n");
  EXPECT_FALSE(set.is_dense());
  EXPECT_EQ(set.columns(), 47236u);
  EXPECT_THAT(set.row(0).columns, ElementsAre(0u, 47235u));
  EXPECT_TRUE(set.row(1).columns.empty());
  EXPECT_THAT(set.row(2).values, ElementsAre(3.0f));
}

TEST(Libsvm, RoundsWhatIsTooSmallForAFloat) {
  EXPECT_THAT(read("1 1:1e-60 2:1").row(0).values, ElementsAre(0.0f, 1.0f));
}

TEST(Libsvm, ReadsAFileOfManyPieces) {
  std::string text;
  for (int i = 0; i < 300000; ++i)
    text += "1 1:0.25 2:-1.5\n";
  ASSERT_GT(text.size(), std::size_t{1} << 22);
  const Dataset set = read(text);
  EXPECT_EQ(set.rows(), 300000u);
  EXPECT_THAT(set.row(299999).values, ElementsAre(0.25f, -1.5f));
}

TEST(Libsvm, RefusesWithTheLineAndWhatIsWrong) {
  const std::string index = "an index is a whole number from 1 to 134217728, not ";
  const std::string value = " must be a number that fits a float, not ";
  const std::map<std::string, std::string> refusals = {
      {"one 1:1", ":1: a label is a finite number, not 'one'"},
      {"1 1:1\n\nnan 1:1", ":3: a label is a finite number, not 'nan'"},
      {"inf 1:1", ":1: a label is a finite number, not 'inf'"},
      {"+-1 1:1", ":1: a label is a finite number, not '+-1'"},
      {"++1 1:1", ":1: a label is a finite number, not '++1'"},
      {"1,2 1:1", ":1: a label is a finite number, not '1,2'"},
      {"1:1 2:1", ":1: a label is a finite number, not '1:1'"},
      {"1 5", ":1: a feature is written index:value, not '5'"},
      {"1 1: 5", ":1: the value of feature 1" + value + "''"},
      {"1 1:1\n1 :5", ":2: " + index + "''"},
      {"1 0:5", ":1: " + index + "'0'"},
      {"1 -1:5", ":1: " + index + "'-1'"},
      {"1 1.5:5", ":1: " + index + "'1.5'"},
      {"1 qid:5", ":1: " + index + "'qid'"},
      {"1 134217729:5", ":1: " + index + "'134217729'"},
      {"1 99999999999:5", ":1: " + index + "'99999999999'"},
      {"1 2:1 2:1", ":1: indices must grow along a line: 2 follows 2"},
      {"1 3:1 2:1", ":1: indices must grow along a line: 2 follows 3"},
      {"1 1:x", ":1: the value of feature 1" + value + "'x'"},
      {"1 1:1:2", ":1: the value of feature 1" + value + "'1:2'"},
      {"1 7:nan", ":1: the value of feature 7" + value + "'nan'"},
      {"1 1:-inf", ":1: the value of feature 1" + value + "'-inf'"},
      {"1 1:1e39", ":1: the value of feature 1" + value + "'1e39'"},
      {"1 1:0x10", ":1: the value of feature 1" + value + "'0x10'"},
  };
  for (const auto& [text, sentence] : refusals)
    EXPECT_EQ(refusal_of_file(text), sentence) << text;
}

TEST(Libsvm, RefusesFilesOfNothing) {
  for (const char* text : {"", "\n\n", "# nothing\n"})
    EXPECT_THAT(refusal_of_file(text), HasSubstr("has no samples"));
  EXPECT_THAT(refusal_of_file("1\n-1\n"), HasSubstr("has no features"));
}

TEST(Libsvm, RefusesWhatIsNotAFile) {
  EXPECT_EQ(read_libsvm("/nowhere/a.svm").error().message,
            "cannot read the data file '/nowhere/a.svm'");
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_THAT(read_libsvm(folder).error().message, HasSubstr("Is a directory"));
}

TEST(Libsvm, DoesNotWaitForAPipe) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("rows").c_str(), 0600), 0);
  EXPECT_THAT(read_libsvm(folder.path("rows")).error().message,
              HasSubstr("is a pipe, and no regular file"));
}

}  // namespace
}  // namespace gossamer
