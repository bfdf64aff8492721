#include "gossamer/learn/text/corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "gossamer/learn/images/packed_file.hpp"

namespace gossamer {
namespace {

constexpr std::string_view kEndOfLine = "<eos>";
constexpr std::string_view kUnknown = "<unk>";
constexpr std::string_view kBlanks = " \t\v\f\r";

// Calls `take` with each word of a text and with kEndOfLine at the end of each line. What follows
// the last newline is a line if there is anything.
template <typename Take>
void for_each_word(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::size_t newline = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(std::min(newline + 1, text.size()));
    for (;;) {
      line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
      if (line.empty()) break;
      const std::size_t length = std::min(line.find_first_of(kBlanks), line.size());
      take(line.substr(0, length));
      line.remove_prefix(length);
    }
    take(kEndOfLine);
  }
}

struct CountedWord {
  std::string_view word;
  std::uint64_t count = 0;
};

bool more_frequent(const CountedWord& a, const CountedWord& b) {
  return a.count != b.count ? a.count > b.count : a.word < b.word;
}

// The words of the vocabulary, most frequent first; they are parts of the text.
std::vector<CountedWord> vocabulary_of(std::string_view text, std::size_t most) {
  std::unordered_map<std::string_view, std::uint64_t> counts;
  for_each_word(text, [&](std::string_view word) { ++counts[word]; });
  CountedWord unknown{kUnknown, counts[kUnknown]};
  const CountedWord end_of_line{kEndOfLine, counts[kEndOfLine]};

  std::vector<CountedWord> kept;
  for (const auto& [word, count] : counts) {
    if (word != kUnknown && word != kEndOfLine) kept.push_back({word, count});
  }
  std::ranges::sort(kept, more_frequent);
  for (; kept.size() > most - 2; kept.pop_back())
    unknown.count += kept.back().count;
  kept.push_back(unknown);
  kept.push_back(end_of_line);
  std::ranges::sort(kept, more_frequent);
  return kept;
}

class Numbering {
 public:
  explicit Numbering(const std::vector<CountedWord>& words) {
    for (const CountedWord& entry : words)
      numbers_.emplace(entry.word, static_cast<std::uint32_t>(numbers_.size()));
    unknown_ = numbers_.at(kUnknown);
  }

  [[nodiscard]] std::vector<std::uint32_t> numbers_of(std::string_view text) const {
    std::vector<std::uint32_t> numbers;
    for_each_word(text, [&](std::string_view word) {
      const auto found = numbers_.find(word);
      numbers.push_back(found == numbers_.end() ? unknown_ : found->second);
    });
    return numbers;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::uint32_t unknown_ = 0;
};

Corpus number_words(std::string_view train, std::string_view test, std::size_t vocabulary) {
  const std::vector<CountedWord> words = vocabulary_of(train, vocabulary);
  const Numbering numbering(words);
  Corpus corpus{{}, numbering.numbers_of(train), numbering.numbers_of(test)};
  for (const CountedWord& entry : words)
    corpus.words.emplace_back(entry.word);
  return corpus;
}

// A file that is a text and has a word.
class TextFile {
 public:
  static Result<TextFile> read(const std::string& plain_path) {
    TextFile file;
    file.path_ = packed_path(plain_path);
    Result<std::vector<std::uint8_t>> bytes = read_packed_file(file.path_);
    if (!bytes) return bytes.error();
    file.bytes_ = std::move(bytes).value();
    const std::size_t zero = file.text().find('\0');
    if (zero != std::string_view::npos)
      return Error{fmt::format("{}: it is no text: byte {} is zero", file.path_, zero)};
    if (file.text().find_first_not_of(" \t\v\f\r\n") == std::string_view::npos)
      return Error{fmt::format("{}: it has no words", file.path_)};
    return file;
  }

  [[nodiscard]] std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<std::uint8_t> bytes_;
};

Result<Corpus> read_folder(const std::string& folder, std::size_t vocabulary) {
  const Result<TextFile> train = TextFile::read(folder + "/train.txt");
  if (!train) return train.error();
  const Result<TextFile> test = TextFile::read(folder + "/test.txt");
  if (!test) return test.error();
  return number_words(train.value().text(), test.value().text(), vocabulary);
}

Result<Corpus> read_single_file(const std::string& path, std::size_t vocabulary) {
  const Result<TextFile> file = TextFile::read(path);
  if (!file) return file.error();
  const std::string_view text = file.value().text();
  const auto newlines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const std::size_t lines = newlines + (text.ends_with('\n') ? 0 : 1);
  if (lines < 2) {
    return Error{fmt::format("{}: it has one line, and the last of at least two is the test part",
                             file.value().path())};
  }
  const std::size_t train_lines = lines - std::max<std::size_t>(lines / 10, 1);
  std::size_t begin = 0;
  for (std::size_t line = 0; line < train_lines; ++line)
    begin = text.find('\n', begin) + 1;
  return number_words(text.substr(0, begin), text.substr(begin), vocabulary);
}

}  // namespace

Result<Corpus> read_corpus(const std::string& path, std::size_t vocabulary) {
  constexpr std::size_t kMostWords = std::numeric_limits<std::uint32_t>::max();
  if (vocabulary < 3 || vocabulary > kMostWords) {
    return Error{fmt::format("a vocabulary has from 3 to {} words, {} and {} among them, not {}",
                             kMostWords, kEndOfLine, kUnknown, vocabulary)};
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return read_folder(path, vocabulary);
  return read_single_file(path, vocabulary);
}

}  // namespace gossamer
