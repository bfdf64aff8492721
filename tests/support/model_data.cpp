#include "tests/support/model_data.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "gossamer/base/rng.hpp"

namespace gossamer::testing {
namespace {

/// One channel of a picture. The patch is a cell of a grid of four by four.
std::string pixels_of(std::size_t side, std::size_t label, Rng& rng) {
  constexpr std::size_t kGrid = 4;
  const std::size_t cell = side / kGrid;
  std::string pixels;
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      const bool is_bright = row / cell == label / kGrid && column / cell == label % kGrid;
      pixels += static_cast<char>((is_bright ? 180 : 20) + rng.below(60));
    }
  }
  return pixels;
}

// Numbers of an IDX header are big-endian.
std::string big_endian(std::size_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0})
    bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

void write_idx_part(const std::string& prefix, const PictureSizes& sizes, std::size_t count,
                    std::uint64_t seed) {
  Rng rng(RngKey{.seed = seed});
  std::string images =
      big_endian(0x0803) + big_endian(count) + big_endian(sizes.side) + big_endian(sizes.side);
  std::string labels = big_endian(0x0801) + big_endian(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t label = i % sizes.classes;
    images += pixels_of(sizes.side, label, rng);
    labels += static_cast<char>(label);
  }
  write_text(prefix + "-images-idx3-ubyte", images);
  write_text(prefix + "-labels-idx1-ubyte", labels);
}

void write_cifar_part(const std::string& path, std::size_t classes, std::size_t count,
                      std::uint64_t seed) {
  constexpr std::size_t kSide = 32;
  Rng rng(RngKey{.seed = seed});
  std::string records;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t label = i % classes;
    records += static_cast<char>(label);
    for (int channel = 0; channel < 3; ++channel)
      records += pixels_of(kSide, label, rng);
  }
  write_text(path, records);
}

}  // namespace

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void write_idx_pictures(const std::string& folder, const PictureSizes& sizes) {
  std::filesystem::create_directories(folder);
  write_idx_part(folder + "/train", sizes, sizes.train, 1);
  write_idx_part(folder + "/t10k", sizes, sizes.test, 2);
}

void write_cifar_pictures(const std::string& folder, const PictureSizes& sizes) {
  std::filesystem::create_directories(folder);
  for (std::size_t batch = 1; batch <= 5; ++batch) {
    write_cifar_part(fmt::format("{}/data_batch_{}.bin", folder, batch), sizes.classes,
                     sizes.train / 5, batch);
  }
  write_cifar_part(folder + "/test_batch.bin", sizes.classes, sizes.test, 6);
}

std::string small_text(const TextSizes& sizes) {
  const auto plain = static_cast<std::uint32_t>(sizes.vocabulary - 2);
  Rng rng(RngKey{.seed = 3});
  std::string text;
  std::uint32_t word = 0;
  for (std::size_t line = 0; line < sizes.lines; ++line) {
    for (std::size_t i = 0; i < sizes.words; ++i) {
      // Every word is there: the first lines count through them.
      const bool follows = line * sizes.words < 2 * plain || rng.below(8) > 0;
      word = follows ? (word + 1) % plain : rng.below(plain);
      text += fmt::format("{}w{}", i == 0 ? "" : " ", word);
    }
    text += "\n";
  }
  return text;
}

}  // namespace gossamer::testing
