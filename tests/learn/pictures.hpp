#pragma once

#include <cstdint>
#include <fstream>
#include <png.h>
#include <span>
#include <stdexcept>
#include <string>
#include <turbojpeg.h>
#include <vector>

namespace gossamer::testing {

/// Pixels of a picture to be written, pixel by pixel with the channels last; 1 to 4 channels: grey,
/// grey and alpha, colours, colours and alpha.
struct PixelGrid {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 1;
  std::vector<std::uint8_t> pixels;
};

/// A picture of one value.
inline PixelGrid plain_grid(std::uint32_t width, std::uint32_t height, std::uint32_t channels,
                            std::uint8_t value) {
  return {width, height, channels, std::vector<std::uint8_t>(width * height * channels, value)};
}

inline std::string png_of(const PixelGrid& grid) {
  constexpr png_uint_32 kFormats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                      PNG_FORMAT_RGBA};
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = grid.width;
  image.height = grid.height;
  image.format = kFormats[grid.channels - 1];
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, grid.pixels.data(), 0, nullptr) ==
      0) {
    throw std::runtime_error("cannot write a PNG");
  }
  bytes.resize(size);
  return bytes;
}

/// Of the best quality, colours not subsampled. Grey or coloured.
inline std::string jpeg_of(const PixelGrid& grid) {
  const bool is_grey = grid.channels == 1;
  unsigned char* packed = nullptr;
  unsigned long size = 0;
  const tjhandle compressor = tjInitCompress();
  const int failed =
      tjCompress2(compressor, grid.pixels.data(), static_cast<int>(grid.width), 0,
                  static_cast<int>(grid.height), is_grey ? TJPF_GRAY : TJPF_RGB, &packed, &size,
                  is_grey ? TJSAMP_GRAY : TJSAMP_444, 100, TJFLAG_ACCURATEDCT);
  const std::string bytes = failed != 0 ? "" : std::string(reinterpret_cast<char*>(packed), size);
  tjFree(packed);
  tjDestroy(compressor);
  if (failed != 0) throw std::runtime_error("cannot write a JPEG");
  return bytes;
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace gossamer::testing
