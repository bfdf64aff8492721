#include "gossamer/learn/text/corpus.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <zlib.h>

#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using gossamer::testing::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CorpusFiles : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder.path(name), std::ios::binary) << text;
  }

  std::string refusal(const std::string& path) {
    const Result<Corpus> corpus = read_corpus(path);
    return corpus.ok() ? "" : corpus.error().message;
  }

  TemporaryFolder folder;
};

// The words that numbers stand for, with blanks between them.
std::string text_of(const Corpus& corpus, const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t number : numbers)
    text += (text.empty() ? "" : " ") + corpus.words.at(number);
  return text;
}

TEST_F(CorpusFiles, NumbersWordsByFrequencyAndThenByName) {
  write("train.txt", "b a c c\nc b a d\n");
  write("test.txt", "a d\n");
  const Corpus corpus = read_corpus(folder.path()).value();
  EXPECT_THAT(corpus.words, ElementsAre("c", "<eos>", "a", "b", "d", "<unk>"));
  EXPECT_THAT(corpus.train, ElementsAre(3, 2, 0, 0, 1, 0, 3, 2, 4, 1));
  EXPECT_THAT(corpus.test, ElementsAre(2, 4, 1));
}

TEST_F(CorpusFiles, KeepsTheMostFrequentWords) {
  write("train.txt", "a a a b b b c c d e\n");
  write("test.txt", "a b c d new\n");
  const Corpus corpus = read_corpus(folder.path(), 5).value();
  EXPECT_THAT(corpus.words, ElementsAre("a", "b", "<unk>", "c", "<eos>"));
  EXPECT_EQ(text_of(corpus, corpus.train), "a a a b b b c c <unk> <unk> <eos>");
  EXPECT_EQ(text_of(corpus, corpus.test), "a b c <unk> <unk> <eos>");
}

// Texts such as the Penn Treebank come with their rare words already replaced.
TEST_F(CorpusFiles, TakesAnUnknownWordInTheTextAsOne) {
  write("train.txt", "<unk> a <unk>\n");
  write("test.txt", "x <unk>\n");
  const Corpus corpus = read_corpus(folder.path()).value();
  EXPECT_THAT(corpus.words, ElementsAre("<unk>", "<eos>", "a"));
  EXPECT_THAT(corpus.test, ElementsAre(0, 0, 1));
}

TEST_F(CorpusFiles, SplitsAtWhiteSpaceAndEndsEachLine) {
  write("train.txt", "\n  a\t\tb \r\n\nc");
  write("test.txt", "c\n");
  const Corpus corpus = read_corpus(folder.path()).value();
  EXPECT_EQ(text_of(corpus, corpus.train), "<eos> a b <eos> <eos> c <eos>");
  EXPECT_EQ(text_of(corpus, corpus.test), "c <eos>");
}

TEST_F(CorpusFiles, GiveTheLastTenthOfTheLinesOfOneFileToTheTest) {
  std::string text;
  for (int line = 1; line <= 29; ++line)
    text += std::to_string(line) + "\n";
  for (const bool ends_with_newline : {true, false}) {
    write("text", ends_with_newline ? text : text.substr(0, text.size() - 1));
    const Corpus corpus = read_corpus(folder.path("text")).value();
    EXPECT_EQ(corpus.train.size(), 2 * 27u);
    // Both are new to the train part.
    EXPECT_EQ(text_of(corpus, corpus.test), "<unk> <eos> <unk> <eos>");
  }
  write("text", "a\na");
  const Corpus corpus = read_corpus(folder.path("text")).value();
  EXPECT_EQ(text_of(corpus, corpus.train), "a <eos>");
  EXPECT_EQ(text_of(corpus, corpus.test), "a <eos>");
}

TEST_F(CorpusFiles, MayBeGzipped) {
  for (const char* const name : {"train.txt.gz", "test.txt.gz"}) {
    const gzFile file = gzopen(folder.path(name).c_str(), "wb");
    ASSERT_EQ(gzputs(file, "a b\n"), 4);
    ASSERT_EQ(gzclose(file), Z_OK);
  }
  EXPECT_EQ(read_corpus(folder.path()).value().train.size(), 3u);
  EXPECT_THAT(refusal(folder.path("train.txt.gz")), HasSubstr("one line"));
}

TEST_F(CorpusFiles, MissingAreNamed) {
  EXPECT_THAT(refusal(folder.path()), HasSubstr(folder.path("train.txt")));
  write("train.txt", "a\n");
  EXPECT_THAT(refusal(folder.path()), HasSubstr(folder.path("test.txt")));
  EXPECT_THAT(refusal(folder.path("none")), HasSubstr(folder.path("none")));
}

TEST_F(CorpusFiles, WithoutWordsAreRefused) {
  write("train.txt", "a\n");
  for (const char* const text : {"", " \n\t\r\n"}) {
    write("test.txt", text);
    EXPECT_EQ(refusal(folder.path()), folder.path("test.txt") + ": it has no words");
  }
}

TEST_F(CorpusFiles, OfBytesAreRefused) {
  write("train.txt", std::string("abc\0def\n", 8));
  write("test.txt", "a\n");
  EXPECT_EQ(refusal(folder.path()), folder.path("train.txt") + ": it is no text: byte 3 is zero");
}

TEST_F(CorpusFiles, NeedAVocabularyOfThreeWords) {
  write("train.txt", "a\n");
  write("test.txt", "a\n");
  EXPECT_THAT(read_corpus(folder.path(), 2).error().message,
              AllOf(HasSubstr("from 3 to"), HasSubstr("not 2")));
  EXPECT_TRUE(read_corpus(folder.path(), 3).ok());
}

}  // namespace
}  // namespace gossamer
