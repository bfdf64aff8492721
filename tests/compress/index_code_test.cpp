#include "gossamer/compress/index_code.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "gossamer/base/result.hpp"
#include "gossamer/math/kernels/subset.hpp"

namespace gossamer {
namespace {

std::vector<std::uint32_t> random_indices(std::size_t size, std::size_t kept) {
  Scratch scratch;
  std::vector<std::uint32_t> indices(kept);
  draw_subset(size * 31 + kept, size, scratch, indices);
  return indices;
}

std::vector<std::uint8_t> written(const IndexCode& code,
                                  const std::vector<std::uint32_t>& indices) {
  std::vector<std::uint8_t> bytes(code.bytes(), 0xAA);
  code.write(indices, bytes);
  return bytes;
}

TEST(IndexCode, ReadsBackWhatItWrote) {
  for (const std::size_t size : {1u, 2u, 7u, 8u, 9u, 64u, 1000u, 65537u}) {
    for (const double share : {0.0, 0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 1.0}) {
      const auto kept = static_cast<std::size_t>(share * static_cast<double>(size));
      const IndexCode code(size, kept);
      const std::vector<std::uint32_t> indices = random_indices(size, kept);
      std::vector<std::uint32_t> read(kept);
      code.read(written(code, indices), read);
      EXPECT_EQ(read, indices) << kept << " of " << size;
    }
  }
}

TEST(IndexCode, HandlesTheLargestIndices) {
  const std::size_t size = (std::size_t{1} << 32) - 1;
  const IndexCode code(size, 3);
  const std::vector<std::uint32_t> indices = {0, 0xFFFFFFFD, 0xFFFFFFFE};
  std::vector<std::uint32_t> read(3);
  code.read(written(code, indices), read);
  EXPECT_EQ(read, indices);
  EXPECT_LE(code.bytes(), 14u);
}

TEST(IndexCode, ClusteredIndicesCostNoMoreThanSpreadOnes) {
  const IndexCode code(100000, 1000);
  std::vector<std::uint32_t> clustered(1000);
  std::iota(clustered.begin(), clustered.end(), 99000u);
  std::vector<std::uint32_t> read(1000);
  code.read(written(code, clustered), read);
  EXPECT_EQ(read, clustered);
}

// An index list is refused, or it is one that write() writes: no two byte strings mean the same.
TEST(IndexCode, EveryFlippedBitIsRefusedOrMeansOtherIndices) {
  for (const auto& [size, kept] : {std::pair<std::size_t, std::size_t>{300, 9}, {40, 20}}) {
    const IndexCode code(size, kept);
    const std::vector<std::uint8_t> bytes = written(code, random_indices(size, kept));
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      std::vector<std::uint8_t> flipped = bytes;
      flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ 1u << bit % 8);
      std::vector<std::uint32_t> read(kept);
      try {
        code.read(flipped, read);
      } catch (const CorruptMessage&) {
        continue;
      }
      EXPECT_EQ(written(code, read), flipped);
    }
  }
}

}  // namespace
}  // namespace gossamer
