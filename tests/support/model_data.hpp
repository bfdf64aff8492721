#pragma once

#include <cstddef>
#include <string>

namespace gossamer::testing {

/// A small set of square pictures that can be learned: grey noise, and a bright patch whose place
/// is the class. Labels go round, so that every class is there.
struct PictureSizes {
  std::size_t side = 12;
  std::size_t classes = 10;  // at most 16
  std::size_t train = 80;
  std::size_t test = 40;
};

/// As the four IDX files of MNIST, one channel. Makes the folder.
void write_idx_pictures(const std::string& folder, const PictureSizes& sizes);

/// As the six files of CIFAR-10, 3x32x32: `train` counts in all five batches together.
void write_cifar_pictures(const std::string& folder, const PictureSizes& sizes);

/// Lines of `words` words each, most of which follow from the word before them. With <eos> and
/// <unk>, a vocabulary of `vocabulary`.
struct TextSizes {
  std::size_t lines = 80;
  std::size_t words = 9;
  std::size_t vocabulary = 20;
};

[[nodiscard]] std::string small_text(const TextSizes& sizes);

void write_text(const std::string& path, const std::string& text);

}  // namespace gossamer::testing
