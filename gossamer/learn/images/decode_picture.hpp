#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/images/image_set.hpp"

namespace gossamer {

/// One picture, in the order of an ImageSet: channel by channel, row by row.
struct Picture {
  ImageShape shape;
  std::vector<std::uint8_t> pixels;
};

/// A PNG or a JPEG, recognised by its first bytes: one channel if it is stored as grey, otherwise
/// three. What is transparent in a PNG is seen in front of black. An error says what is wrong with
/// the bytes; the caller knows whose they are.
[[nodiscard]] Result<Picture> decode_picture(std::span<const std::uint8_t> bytes);

}  // namespace gossamer
