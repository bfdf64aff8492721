#include "gossamer/learn/images/image_folder.hpp"

#include <filesystem>
#include <string>

#include "tests/learn/pictures.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using gossamer::testing::jpeg_of;
using gossamer::testing::plain_grid;
using gossamer::testing::png_of;
using gossamer::testing::TemporaryFolder;
using gossamer::testing::write_bytes;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

void add_file(const TemporaryFolder& folder, const std::string& name, const std::string& bytes) {
  const std::string path = folder.path(name);
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  write_bytes(path, bytes);
}

// Two classes, three grey pictures of 8 x 8 for training and two for testing.
void add_example(const TemporaryFolder& folder) {
  add_file(folder, "train/cat/b.png", png_of(plain_grid(8, 8, 1, 2)));
  add_file(folder, "train/cat/a.jpg", jpeg_of(plain_grid(8, 8, 1, 1)));
  add_file(folder, "train/ant/1.PNG", png_of(plain_grid(8, 8, 1, 3)));
  add_file(folder, "test/ant/1.png", png_of(plain_grid(8, 8, 1, 4)));
  add_file(folder, "test/cat/1.jpeg", jpeg_of(plain_grid(8, 8, 1, 5)));
}

class ImageFolder : public ::testing::Test {
 protected:
  ImageFolder() { add_example(folder); }

  void add(const std::string& name, const std::string& bytes) { add_file(folder, name, bytes); }

  void remove(const std::string& name) { std::filesystem::remove_all(folder.path(name)); }

  std::string refusal() {
    const Result<ImageData> data = read_image_folder(folder.path());
    return data.ok() ? "" : data.error().message;
  }

  TemporaryFolder folder;
};

TEST_F(ImageFolder, IsReadInTheOrderOfItsNames) {
  const ImageData data = read_image_folder(folder.path()).value();
  EXPECT_EQ(data.train.shape, (ImageShape{1, 8, 8}));
  EXPECT_EQ(data.train.classes, 2u);
  EXPECT_THAT(data.train.labels, ElementsAre(0, 1, 1));
  EXPECT_THAT(data.train.image(0), Each(3));
  EXPECT_THAT(data.train.image(1), Each(1));
  EXPECT_THAT(data.train.image(2), Each(2));
  EXPECT_EQ(data.test.shape, data.train.shape);
  EXPECT_EQ(data.test.classes, 2u);
  EXPECT_THAT(data.test.labels, ElementsAre(0, 1));
  EXPECT_THAT(data.test.image(1), Each(5));
}

TEST(ImageFolders, AreColouredIfOnePictureIs) {
  for (const char* const place : {"train/cat/a.jpg", "train/cat/z.png", "test/cat/1.jpeg"}) {
    const TemporaryFolder folder;
    add_example(folder);
    add_file(folder, place, png_of(plain_grid(8, 8, 3, 9)));
    const ImageData data = read_image_folder(folder.path()).value();
    EXPECT_EQ(data.train.shape, (ImageShape{3, 8, 8})) << place;
    EXPECT_EQ(data.test.shape, (ImageShape{3, 8, 8})) << place;
    EXPECT_EQ(data.train.pixels.size(), data.train.size() * 192) << place;
    // Grey ones have the same three colours.
    EXPECT_THAT(data.train.image(0), AllOf(SizeIs(192), Each(3))) << place;
    EXPECT_THAT(data.test.image(0), AllOf(SizeIs(192), Each(4))) << place;
  }
}

TEST_F(ImageFolder, PassesOverWhatIsNoPicture) {
  add("train/cat/notes.txt", "x");
  add("train/cat/.hidden.png", "x");
  add("train/.cache/x", "x");
  add("train/README", "x");
  EXPECT_EQ(read_image_folder(folder.path()).value().train.size(), 3u);
}

TEST_F(ImageFolder, NamesADamagedFile) {
  const std::string png = png_of(plain_grid(8, 8, 1, 2));
  add("train/cat/b.png", png.substr(0, png.size() / 2));
  EXPECT_EQ(refusal(), folder.path("train/cat/b.png") + ": the PNG ends too early");
  add("train/cat/b.png", "");
  EXPECT_EQ(refusal(), folder.path("train/cat/b.png") + ": it is neither a PNG nor a JPEG");
}

TEST_F(ImageFolder, NamesAPictureOfAnotherSizeInEitherPart) {
  for (const std::string name : {"test/cat/1.jpeg", "train/cat/b.png"}) {
    add(name, png_of(plain_grid(4, 8, 1, 2)));
    EXPECT_EQ(refusal(),
              fmt::format("{0}/{1}: it has 4 x 8 pixels, and '{0}/train/ant/1.PNG' has 8 "
                          "x 8; all pictures must have one size",
                          folder.path(), name));
  }
}

TEST_F(ImageFolder, NamesAClassThatOnePartLacks) {
  add("test/dog/1.png", png_of(plain_grid(8, 8, 1, 2)));
  EXPECT_EQ(
      refusal(),
      fmt::format("'{0}/test' has the class folder 'dog', and '{0}/train' has not; both parts "
                  "need the same classes",
                  folder.path()));
  remove("test/dog");
  remove("test/ant");
  EXPECT_THAT(refusal(), HasSubstr("train' has the class folder 'ant', and"));
}

TEST_F(ImageFolder, RefusesAClassWithoutPictures) {
  remove("train/ant/1.PNG");
  EXPECT_EQ(refusal(),
            fmt::format("the class folder '{}/train/ant' has no .png, .jpg or .jpeg files",
                        folder.path()));
}

TEST_F(ImageFolder, RefusesAPartWithoutClasses) {
  remove("test/ant");
  remove("test/cat");
  EXPECT_THAT(refusal(), HasSubstr("test' has no folders; each class needs one"));
  remove("test");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("cannot read the folder"), HasSubstr("/test'")));
}

TEST_F(ImageFolder, RefusesMoreClassesThanALabelCanName) {
  for (int i = 0; i < 255; ++i)
    std::filesystem::create_directories(folder.path(fmt::format("train/class{}", i)));
  EXPECT_THAT(refusal(), HasSubstr("has 257 class folders, and at most 256 are possible"));
}

}  // namespace
}  // namespace gossamer
