#include "gossamer/learn/images/decode_picture.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <png.h>
#include <turbojpeg.h>
#include <utility>

#include <fmt/format.h>

namespace gossamer {
namespace {

// Sizes come from the file: a damaged header must not cost all of the memory.
constexpr std::size_t kMostPixels = std::size_t{1} << 26;

Result<void> check_size(std::size_t width, std::size_t height) {
  if (width <= kMostPixels && height <= kMostPixels / std::max<std::size_t>(width, 1)) return {};
  return Error{fmt::format("{} x {} pixels are more than the {} that a picture may have", width,
                           height, kMostPixels)};
}

// Both libraries write pixel by pixel.
Picture planar(const ImageShape& shape, std::vector<std::uint8_t> interleaved) {
  if (shape.channels == 1) return {shape, std::move(interleaved)};
  Picture picture{shape, {}};
  picture.pixels.reserve(interleaved.size());
  for (std::size_t channel = 0; channel < shape.channels; ++channel) {
    for (std::size_t i = channel; i < interleaved.size(); i += shape.channels)
      picture.pixels.push_back(interleaved[i]);
  }
  return picture;
}

constexpr std::array<std::uint8_t, 8> kPngBegin{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
// The last chunk: no bytes, its name, its checksum.
constexpr std::array<std::uint8_t, 12> kPngEnd{0,   0,   0,    0,    'I',  'E',
                                               'N', 'D', 0xAE, 0x42, 0x60, 0x82};

class PngReader {
 public:
  PngReader() { image_.version = PNG_IMAGE_VERSION; }

  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  ~PngReader() { png_image_free(&image_); }

  Result<Picture> read(std::span<const std::uint8_t> bytes) {
    // The library stops reading after the last row, and would not miss what should follow.
    if (std::search(bytes.begin(), bytes.end(), kPngEnd.begin(), kPngEnd.end()) == bytes.end())
      return Error{"the PNG ends too early"};
    if (png_image_begin_read_from_memory(&image_, bytes.data(), bytes.size()) == 0)
      return damaged();
    if (const Result<void> fits = check_size(image_.width, image_.height); !fits)
      return fits.error();
    const bool is_grey = (image_.format & PNG_FORMAT_FLAG_COLOR) == 0;
    image_.format = is_grey ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    // Without it 16 bits mean linear light, and dark pixels would turn bright.
    image_.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    const ImageShape shape{is_grey ? 1u : 3u, image_.height, image_.width};
    std::vector<std::uint8_t> pixels(shape.size());
    const png_color black{0, 0, 0};
    if (png_image_finish_read(&image_, &black, pixels.data(), 0, nullptr) == 0) return damaged();
    return planar(shape, std::move(pixels));
  }

 private:
  [[nodiscard]] Error damaged() const {
    return {fmt::format("the PNG is damaged ({})", static_cast<const char*>(image_.message))};
  }

  png_image image_{};
};

struct CloseDecompressor {
  void operator()(void* decompressor) const { tjDestroy(decompressor); }
};

Result<Picture> read_jpeg(std::span<const std::uint8_t> bytes) {
  const std::unique_ptr<void, CloseDecompressor> reader(tjInitDecompress());
  if (!reader) return Error{"there is no memory for a JPEG decoder"};
  const auto damaged = [&] {
    return Error{fmt::format("the JPEG is damaged ({})", tjGetErrorStr2(reader.get()))};
  };
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int colours = 0;
  if (tjDecompressHeader3(reader.get(), bytes.data(), bytes.size(), &width, &height, &subsampling,
                          &colours) != 0) {
    return damaged();
  }
  const ImageShape shape{colours == TJCS_GRAY ? 1u : 3u, static_cast<std::size_t>(height),
                         static_cast<std::size_t>(width)};
  if (const Result<void> fits = check_size(shape.width, shape.height); !fits) return fits.error();
  if (colours == TJCS_CMYK || colours == TJCS_YCCK)
    return Error{"the JPEG has the four colours of a printer; convert it to RGB"};
  std::vector<std::uint8_t> pixels(shape.size());
  // The accurate transform gives the same bytes on every machine. A warning means that rows are
  // missing or made up. A scan of a hundred bytes can go over all of a large picture, and none
  // needs hundreds of them.
  const int flags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS;
  const int format = colours == TJCS_GRAY ? TJPF_GRAY : TJPF_RGB;
  if (tjDecompress2(reader.get(), bytes.data(), bytes.size(), pixels.data(), width, 0, height,
                    format, flags) != 0) {
    return damaged();
  }
  return planar(shape, std::move(pixels));
}

bool begins_with(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> start) {
  return bytes.size() >= start.size() && std::ranges::equal(bytes.first(start.size()), start);
}

}  // namespace

Result<Picture> decode_picture(std::span<const std::uint8_t> bytes) {
  constexpr std::array<std::uint8_t, 3> kJpegBegin{0xFF, 0xD8, 0xFF};
  if (begins_with(bytes, kPngBegin)) return PngReader().read(bytes);
  if (begins_with(bytes, kJpegBegin)) return read_jpeg(bytes);
  return Error{"it is neither a PNG nor a JPEG"};
}

}  // namespace gossamer
