#include "gossamer/learn/images/decode_picture.hpp"

#include <string>
#include <string_view>

#include "tests/learn/pictures.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"

namespace gossamer {
namespace {

using gossamer::testing::jpeg_of;
using gossamer::testing::PixelGrid;
using gossamer::testing::plain_grid;
using gossamer::testing::png_of;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Result<Picture> decode(std::string_view bytes) {
  return decode_picture(as_bytes(bytes));
}

std::string refusal_to_decode(std::string_view bytes) {
  const Result<Picture> picture = decode(bytes);
  return picture.ok() ? "" : picture.error().message;
}

const PixelGrid kGrey{3, 2, 1, {0, 1, 2, 100, 254, 255}};
const PixelGrid kColours{2, 2, 3, {1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33}};

TEST(DecodePicture, GivesTheBytesOfAGreyPng) {
  const Picture picture = decode(png_of(kGrey)).value();
  EXPECT_EQ(picture.shape, (ImageShape{1, 2, 3}));
  EXPECT_EQ(picture.pixels, kGrey.pixels);
}

TEST(DecodePicture, GivesTheColoursOfAPngOneAfterTheOther) {
  const Picture picture = decode(png_of(kColours)).value();
  EXPECT_EQ(picture.shape, (ImageShape{3, 2, 2}));
  EXPECT_THAT(picture.pixels, ElementsAre(1, 11, 21, 31, 2, 12, 22, 32, 3, 13, 23, 33));
}

TEST(DecodePicture, ShowsWhatIsTransparentInFrontOfBlack) {
  const PixelGrid grid{2, 1, 4, {10, 20, 30, 255, 10, 20, 30, 0}};
  const Picture picture = decode(png_of(grid)).value();
  EXPECT_EQ(picture.shape, (ImageShape{3, 1, 2}));
  EXPECT_THAT(picture.pixels, ElementsAre(10, 0, 20, 0, 30, 0));
}

// A block of one value has no other frequencies, so that nothing is lost.
TEST(DecodePicture, GivesTheBytesOfAPlainGreyJpeg) {
  const Picture picture = decode(jpeg_of(plain_grid(16, 8, 1, 77))).value();
  EXPECT_EQ(picture.shape, (ImageShape{1, 8, 16}));
  EXPECT_THAT(picture.pixels, Each(77));
}

// Going to luminance and chrominance and back rounds each of them.
TEST(DecodePicture, GivesTheColoursOfAJpegInTheirOrder) {
  PixelGrid grid = plain_grid(8, 8, 3, 200);
  for (std::size_t i = 0; i < grid.pixels.size(); i += 3) {
    grid.pixels[i + 1] = 120;
    grid.pixels[i + 2] = 40;
  }
  const Picture picture = decode(jpeg_of(grid)).value();
  EXPECT_EQ(picture.shape, (ImageShape{3, 8, 8}));
  const std::span<const std::uint8_t> pixels(picture.pixels);
  EXPECT_THAT(pixels.first(64), Each(::testing::AllOf(::testing::Ge(198), ::testing::Le(202))));
  EXPECT_THAT(pixels.subspan(64, 64),
              Each(::testing::AllOf(::testing::Ge(118), ::testing::Le(122))));
  EXPECT_THAT(pixels.last(64), Each(::testing::AllOf(::testing::Ge(38), ::testing::Le(42))));
}

TEST(DecodePicture, RefusesATruncatedPngAtEveryLength) {
  const std::string whole = png_of(kColours);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(refusal_to_decode(whole.substr(0, size)),
                AnyOf("the PNG ends too early", "it is neither a PNG nor a JPEG"))
        << size << " of " << whole.size() << " bytes";
  }
}

TEST(DecodePicture, RefusesATruncatedJpegAtEveryLength) {
  const std::string whole = jpeg_of(plain_grid(32, 32, 3, 50));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(refusal_to_decode(whole.substr(0, size)),
                AnyOf(StartsWith("the JPEG is damaged ("), "it is neither a PNG nor a JPEG"))
        << size << " of " << whole.size() << " bytes";
  }
}

// Every chunk has a checksum; what is not needed for the pixels may be skipped if it is wrong.
TEST(DecodePicture, NeverGivesOtherPixelsForADamagedPng) {
  const std::string whole = png_of(kGrey);
  int refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    const Result<Picture> picture = decode(damaged);
    refused += picture.ok() ? 0 : 1;
    if (picture) {
      EXPECT_EQ(picture.value().pixels, kGrey.pixels) << "byte " << i;
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(DecodePicture, RefusesASizeThatNoPictureHas) {
  std::string jpeg = jpeg_of(plain_grid(8, 8, 1, 0));
  // The header of the frame: its mark, two bytes of length, one of precision, height and width.
  const std::size_t frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\xF0\xF0\xF0\xF0");
  EXPECT_THAT(refusal_to_decode(jpeg), HasSubstr("61680 x 61680 pixels are more than"));
}

TEST(DecodePicture, RefusesWhatIsNoPicture) {
  EXPECT_EQ(refusal_to_decode(""), "it is neither a PNG nor a JPEG");
  EXPECT_EQ(refusal_to_decode("GIF89a"), "it is neither a PNG nor a JPEG");
}

}  // namespace
}  // namespace gossamer
