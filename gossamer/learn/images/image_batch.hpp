#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/base/rng.hpp"
#include "gossamer/learn/images/image_set.hpp"

namespace gossamer {

/// What turns the bytes of a channel into floats: (byte - mean) * scale.
struct Normalization {
  std::vector<float> mean;
  std::vector<float> scale;
};

/// Mean 0 and variance 1 in each channel over all pictures; a channel of one value becomes 0. Taken
/// from the train part, for both.
[[nodiscard]] Normalization normalization_of(const ImageSet& set);

/// How a picture is changed at random each time it is looked at.
struct Augmentation {
  /// Mirrored left to right, half of the time.
  bool flip = false;
  /// Shifted by up to so many pixels in both directions, every shift as likely; 0 moves in, which
  /// is the mean: padding after normalisation, as usual for CIFAR.
  std::size_t pad = 0;
};

/// `none`, `flip`, `crop=P` or `flip,crop=P`, where P is the pad.
[[nodiscard]] Result<Augmentation> parse_augmentation(std::string_view spec);

/// Writes the picked pictures as floats, pixel by pixel with the channels last (N, H, W, C), and
/// their classes. How the picture at a position is flipped and shifted is a function of the key and
/// the position alone. pixels.size() = picks.size() * shape.size().
void fill_batch(const ImageSet& set, std::span<const std::uint32_t> picks,
                const Normalization& normalization, const Augmentation& augmentation,
                const RngKey& key, std::span<float> pixels, std::span<std::int64_t> labels);

}  // namespace gossamer
