#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// A text as numbers of words, for language models.
struct Corpus {
  /// The vocabulary: the most frequent word of the train part first, ties in the order of the
  /// words.
  /// `<eos>`, which ends each line, and `<unk>`, which stands for all other words, are among them.
  std::vector<std::string> words;
  std::vector<std::uint32_t> train;
  std::vector<std::uint32_t> test;
};

inline constexpr std::size_t kDefaultVocabulary = 10'000;

/// A folder with train.txt and test.txt, or one file, the last tenth of whose lines is the test
/// part; gzipped or not. Words are what white space separates. `vocabulary` is the most words there
/// may be, `<eos>` and `<unk>` among them. An error names the file and what is wrong with it.
[[nodiscard]] Result<Corpus> read_corpus(const std::string& path,
                                         std::size_t vocabulary = kDefaultVocabulary);

}  // namespace gossamer
