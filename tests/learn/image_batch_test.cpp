#include "gossamer/learn/images/image_batch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

// Pictures whose bytes all differ, as far as there are bytes; none is 0, which is padding.
ImageSet example(const ImageShape& shape, std::size_t count) {
  ImageSet set{shape, 10, std::vector<std::uint8_t>(count * shape.size()), {}};
  for (std::size_t i = 0; i < set.pixels.size(); ++i)
    set.pixels[i] = static_cast<std::uint8_t>(1 + i % 255);
  for (std::size_t i = 0; i < count; ++i)
    set.labels.push_back(static_cast<std::uint8_t>(i % 10));
  return set;
}

// Leaves the bytes as they are.
Normalization unchanged(std::size_t channels) {
  return {std::vector<float>(channels, 0.0f), std::vector<float>(channels, 1.0f)};
}

struct Batch {
  std::vector<float> pixels;
  std::vector<std::int64_t> labels;

  [[nodiscard]] std::vector<float> picture(std::size_t position) const {
    const std::size_t size = pixels.size() / labels.size();
    const auto begin = pixels.begin() + static_cast<std::ptrdiff_t>(position * size);
    return {begin, begin + static_cast<std::ptrdiff_t>(size)};
  }
};

Batch fill(const ImageSet& set, const std::vector<std::uint32_t>& picks,
           const Augmentation& augmentation, const RngKey& key,
           const Normalization& normalization) {
  // What fill_batch() leaves as it is would show.
  Batch batch{std::vector<float>(picks.size() * set.shape.size(), NAN),
              std::vector<std::int64_t>(picks.size(), -1)};
  fill_batch(set, picks, normalization, augmentation, key, batch.pixels, batch.labels);
  return batch;
}

Batch fill(const ImageSet& set, const std::vector<std::uint32_t>& picks,
           const Augmentation& augmentation, const RngKey& key = {}) {
  return fill(set, picks, augmentation, key, unchanged(set.shape.channels));
}

// The same, slowly: mirrors, then shifts, pixel by pixel.
std::vector<float> view(const ImageSet& set, std::size_t pick, bool mirrored, int down, int right) {
  const auto [channels, height, width] = set.shape;
  std::vector<float> out;
  for (int y = 0; y < static_cast<int>(height); ++y) {
    for (int x = 0; x < static_cast<int>(width); ++x) {
      for (std::size_t c = 0; c < channels; ++c) {
        const int from_y = y - down;
        int from_x = x - right;
        const bool inside = from_y >= 0 && from_y < static_cast<int>(height) && from_x >= 0 &&
                            from_x < static_cast<int>(width);
        if (mirrored) from_x = static_cast<int>(width) - 1 - from_x;
        out.push_back(
            inside ? set.image(pick)[(c * height + static_cast<std::size_t>(from_y)) * width +
                                     static_cast<std::size_t>(from_x)]
                   : 0.0f);
      }
    }
  }
  return out;
}

TEST(Normalization, IsMeanAndDeviationOfEachChannel) {
  // Two pictures of 2 x 1 pixels: the first channel has 0, 2, 4, 6, the second only 9.
  const ImageSet set{{2, 1, 2}, 1, {0, 2, 9, 9, 4, 6, 9, 9}, {0, 0}};
  const Normalization normalization = normalization_of(set);
  EXPECT_THAT(normalization.mean, ElementsAre(3.0f, 9.0f));
  EXPECT_THAT(normalization.scale, ElementsAre(FloatEq(1 / std::sqrt(5.0f)), 1.0f));
}

TEST(FillBatch, NormalisesToMeanZeroAndVarianceOne) {
  const ImageSet set = example({1, 5, 7}, 20);
  std::vector<std::uint32_t> all(set.size());
  std::iota(all.begin(), all.end(), 0u);
  const Batch batch = fill(set, all, {}, {}, normalization_of(set));
  double sum = 0;
  double squares = 0;
  for (const double value : batch.pixels) {
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(batch.pixels.size());
  // Each value is rounded to 2^-24 of numbers below 4.
  EXPECT_NEAR(sum / count, 0, 1e-6);
  EXPECT_NEAR(squares / count, 1, 1e-6);
}

TEST(FillBatch, WritesPickedPicturesWithTheirChannelsLast) {
  const ImageSet set{{3, 1, 2}, 9, {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16}, {7, 8}};
  const Batch batch = fill(set, {1, 0, 1}, {});
  EXPECT_THAT(batch.pixels,
              ElementsAre(11, 13, 15, 12, 14, 16, 1, 3, 5, 2, 4, 6, 11, 13, 15, 12, 14, 16));
  EXPECT_THAT(batch.labels, ElementsAre(8, 7, 8));
}

TEST(FillBatch, NormalisesEachChannelByItsOwn) {
  const ImageSet set{{3, 1, 1}, 1, {10, 20, 30}, {0}};
  const Batch batch = fill(set, {0}, {}, {}, {{1, 2, 3}, {0.5f, 0.25f, 2}});
  EXPECT_THAT(batch.pixels, ElementsAre(4.5f, 4.5f, 54));
}

TEST(FillBatch, WritesOneOfTheViewsThatTheAugmentationAllows) {
  for (const std::size_t channels : {1u, 3u}) {
    const ImageSet set = example({channels, 4, 5}, 3);
    // A pad above the size of a picture can shift all of it out.
    for (const int pad : {0, 1, 2, 6}) {
      for (const bool flip : {false, true}) {
        const Batch batch =
            fill(set, std::vector<std::uint32_t>(40, 2), {flip, static_cast<std::size_t>(pad)});
        std::vector<std::vector<float>> allowed;
        for (int down = -pad; down <= pad; ++down) {
          for (int right = -pad; right <= pad; ++right) {
            allowed.push_back(view(set, 2, false, down, right));
            if (flip) allowed.push_back(view(set, 2, true, down, right));
          }
        }
        for (std::size_t position = 0; position < 40; ++position)
          ASSERT_THAT(allowed, ::testing::Contains(batch.picture(position)));
      }
    }
  }
}

TEST(FillBatch, TakesEveryViewEquallyOften) {
  const ImageSet set = example({1, 6, 6}, 1);
  constexpr std::size_t kCount = 36000;
  const Batch batch = fill(set, std::vector<std::uint32_t>(kCount, 0), {true, 1});
  std::map<std::vector<float>, int> counts;
  for (std::size_t position = 0; position < kCount; ++position)
    ++counts[batch.picture(position)];
  EXPECT_EQ(counts.size(), 18u);
  // 2000 each, with a standard deviation of 43; five of them on either side.
  for (const auto& [picture, count] : counts)
    EXPECT_NEAR(count, 2000, 217);
}

TEST(FillBatch, PadsWithZerosThatAreNotNormalised) {
  const ImageSet set{{1, 1, 1}, 1, {200}, {0}};
  const Batch batch = fill(set, std::vector<std::uint32_t>(50, 0), {false, 1}, {}, {{100}, {1}});
  EXPECT_THAT(batch.pixels, AllOf(Each(::testing::AnyOf(0.0f, 100.0f)), ::testing::Contains(0.0f),
                                  ::testing::Contains(100.0f)));
}

TEST(FillBatch, IsAFunctionOfTheKeyAndThePosition) {
  const ImageSet set = example({3, 8, 8}, 4);
  const Augmentation augmentation{true, 3};
  const RngKey key{.seed = 5, .purpose = Purpose::kBatch, .node = 2, .round = 7};
  const Batch batch = fill(set, {0, 1, 2, 3, 0, 1, 2, 3}, augmentation, key);
  EXPECT_EQ(fill(set, {0, 1, 2, 3, 0, 1, 2, 3}, augmentation, key).pixels, batch.pixels);
  // Whatever else is in the batch.
  EXPECT_EQ(fill(set, {3, 1, 0}, augmentation, key).picture(1), batch.picture(1));
  RngKey next_round = key;
  next_round.round = 8;
  RngKey other_node = key;
  other_node.node = 3;
  RngKey other_seed = key;
  other_seed.seed = 6;
  for (const RngKey& other : {next_round, other_node, other_seed})
    EXPECT_NE(fill(set, {0, 1, 2, 3, 0, 1, 2, 3}, augmentation, other).pixels, batch.pixels);
}

// Runs that differ only in their pad compare the same mirrored pictures.
TEST(FillBatch, MirrorsTheSamePicturesWithAndWithoutCrops) {
  const ImageSet set = example({1, 1, 9}, 1);
  const std::vector<std::uint32_t> picks(50, 0);
  const Batch flipped = fill(set, picks, {true, 0});
  const Batch both = fill(set, picks, {true, 2});
  for (std::size_t position = 0; position < picks.size(); ++position) {
    const std::vector<float> moved = both.picture(position);
    if (std::ranges::count(moved, 0.0f) == 9) continue;  // shifted out
    const bool is_mirrored = moved[3] > moved[4];
    EXPECT_EQ(flipped.picture(position), view(set, 0, is_mirrored, 0, 0));
  }
}

TEST(FillBatch, ExpectsRoomForTheBatch) {
  const ImageSet set = example({1, 2, 2}, 2);
  std::vector<float> pixels(7);
  std::vector<std::int64_t> labels(2);
  const std::vector<std::uint32_t> picks{0, 1};
  EXPECT_THROW(fill_batch(set, picks, unchanged(1), {}, {}, pixels, labels), ContractViolation);
  pixels.resize(8);
  EXPECT_THROW(fill_batch(set, picks, unchanged(3), {}, {}, pixels, labels), ContractViolation);
  EXPECT_NO_THROW(fill_batch(set, picks, unchanged(1), {}, {}, pixels, labels));
}

TEST(Augmentation, IsReadFromItsSpec) {
  const auto parsed = [](const char* spec) {
    const Augmentation augmentation = parse_augmentation(spec).value();
    return std::pair(augmentation.flip, augmentation.pad);
  };
  EXPECT_EQ(parsed("none"), std::pair(false, std::size_t{0}));
  EXPECT_EQ(parsed("flip"), std::pair(true, std::size_t{0}));
  EXPECT_EQ(parsed("crop=4"), std::pair(false, std::size_t{4}));
  EXPECT_EQ(parsed("flip,crop=4"), std::pair(true, std::size_t{4}));
  EXPECT_EQ(parsed("crop=2,flip"), std::pair(true, std::size_t{2}));
}

TEST(Augmentation, RefusesWhatItDoesNotKnow) {
  const auto refusal = [](const char* spec) {
    const Result<Augmentation> augmentation = parse_augmentation(spec);
    return augmentation.ok() ? "" : augmentation.error().message;
  };
  EXPECT_THAT(refusal(""), HasSubstr("say 'none'"));
  EXPECT_THAT(refusal("flop"), HasSubstr("flip"));
  EXPECT_THAT(refusal("crop"), HasSubstr("crop="));
  EXPECT_THAT(refusal("crop=0"), HasSubstr("crop must be a whole number from 1 to 64"));
  EXPECT_THAT(refusal("crop=65"), HasSubstr("crop must be a whole number from 1 to 64"));
  EXPECT_THAT(refusal("none,flip"), HasSubstr("'none' stands alone"));
  EXPECT_THAT(refusal("flip,flip"), HasSubstr("given twice"));
}

}  // namespace
}  // namespace gossamer
