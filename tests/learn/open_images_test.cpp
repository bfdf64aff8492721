#include "gossamer/learn/images/open_images.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

#include "tests/learn/pictures.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using gossamer::testing::plain_grid;
using gossamer::testing::png_of;
using gossamer::testing::TemporaryFolder;
using gossamer::testing::write_bytes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The header of an IDX file of bytes; all sizes are below 256.
std::string idx(const std::string& sizes, const std::string& values) {
  std::string bytes{0, 0, 8, static_cast<char>(sizes.size())};
  for (const char size : sizes)
    bytes += std::string{0, 0, 0, size};
  return bytes + values;
}

// Pictures of 1 x `width` pixels in IDX form.
void write_part(const TemporaryFolder& folder, const std::string& part, char width,
                const std::string& labels) {
  const char count = static_cast<char>(labels.size());
  write_bytes(
      folder.path(part + "-images-idx3-ubyte"),
      idx({count, 1, width}, std::string(labels.size() * static_cast<unsigned char>(width), '\7')));
  write_bytes(folder.path(part + "-labels-idx1-ubyte"), idx({count}, labels));
}

std::string refusal_to_open(const std::string& data) {
  const Result<ImageData> images = open_images(data);
  return images.ok() ? "" : images.error().message;
}

TEST(OpenImages, RecognisesIdxFiles) {
  const TemporaryFolder folder;
  write_part(folder, "train", 2, {0, 2, 1});
  write_part(folder, "t10k", 2, {1, 0});
  const ImageData data = open_images(folder.path()).value();
  EXPECT_THAT(data.train.labels, ElementsAre(0, 2, 1));
  EXPECT_THAT(data.test.labels, ElementsAre(1, 0));
  EXPECT_EQ(data.test.shape, (ImageShape{1, 1, 2}));
  // Not all classes need to be in the test part.
  EXPECT_EQ(data.train.classes, 3u);
  EXPECT_EQ(data.test.classes, 3u);
}

TEST(OpenImages, RecognisesCifar) {
  const TemporaryFolder folder;
  const std::string record = '\3' + std::string(3072, '\1');
  for (const char* const name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                 "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"}) {
    write_bytes(folder.path(name), record);
  }
  const ImageData data = open_images(folder.path()).value();
  EXPECT_EQ(data.train.size(), 5u);
  EXPECT_EQ(data.test.size(), 1u);
  EXPECT_EQ(data.test.shape, (ImageShape{3, 32, 32}));
}

TEST(OpenImages, RecognisesFoldersOfClasses) {
  const TemporaryFolder folder;
  for (const char* const part : {"train", "test"}) {
    std::filesystem::create_directories(folder.path(part) + "/zero");
    write_bytes(folder.path(part) + "/zero/1.png", png_of(plain_grid(2, 2, 1, 5)));
  }
  EXPECT_EQ(open_images(folder.path()).value().test.size(), 1u);
}

TEST(OpenImages, NamesALabelThatTheTrainPartDoesNotKnow) {
  const TemporaryFolder folder;
  write_part(folder, "train", 2, {0, 1});
  write_part(folder, "t10k", 2, {1, 0, 2});
  EXPECT_EQ(refusal_to_open(folder.path()),
            folder.path("t10k-labels-idx1-ubyte") +
                ": record 2 has class 2, and those of the train part are below 2");
}

TEST(OpenImages, RefusesPartsOfDifferentShapes) {
  const TemporaryFolder folder;
  write_part(folder, "train", 2, {0, 1});
  write_part(folder, "t10k", 3, {0});
  EXPECT_THAT(refusal_to_open(folder.path()),
              HasSubstr("pictures of the train part are 1 x 1 x 2, those of the test part 1 x 1 "
                        "x 3"));
}

TEST(OpenImages, RefusesAPartWithoutPictures) {
  const TemporaryFolder folder;
  write_part(folder, "train", 2, {0, 1});
  write_part(folder, "t10k", 2, "");
  EXPECT_EQ(refusal_to_open(folder.path()), folder.path() + ": the test part has no pictures");
  write_part(folder, "train", 0, {0, 1});
  EXPECT_EQ(refusal_to_open(folder.path()), folder.path() + ": the train part has no pictures");
}

TEST(OpenImages, SaysWhatItLookedForInAnUnknownFolder) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      refusal_to_open(folder.path()),
      AllOf(HasSubstr(folder.path()), HasSubstr("'train-images-idx3-ubyte' (IDX)"),
            HasSubstr("'data_batch_1.bin' (CIFAR-10)"), HasSubstr("'train' (folders of classes)")));
}

TEST(OpenImages, RefusesAFolderThatIsNotThere) {
  EXPECT_EQ(refusal_to_open("no-such-folder"),
            "'no-such-folder' is neither a folder nor a set of pictures that is known "
            "(fashion-mnist)");
  const TemporaryFolder folder;
  write_bytes(folder.path("file"), "x");
  EXPECT_THAT(refusal_to_open(folder.path("file")), HasSubstr("/file' is neither a folder nor"));
}

// The package may be installed or not: both outcomes have a claim.
TEST(OpenImages, KnowsFashionMnistByName) {
  const Result<ImageData> data = open_images("fashion-mnist");
  if (data.ok()) {
    EXPECT_EQ(data.value().train.size(), 60000u);
    EXPECT_EQ(data.value().test.size(), 10000u);
    EXPECT_EQ(data.value().train.shape, (ImageShape{1, 28, 28}));
    EXPECT_EQ(data.value().test.classes, 10u);
  } else {
    EXPECT_THAT(data.error().message, HasSubstr("install Debian's package dataset-fashion-mnist"));
  }
}

}  // namespace
}  // namespace gossamer
