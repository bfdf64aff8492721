#include "gossamer/learn/images/image_batch.hpp"

#include <algorithm>
#include <cmath>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/text/options.hpp"

namespace gossamer {
namespace {

constexpr std::size_t kMostPad = 64;

// How one picture is taken: mirrored or not, and by how much its rows and columns are shifted.
struct View {
  bool mirrored = false;
  std::ptrdiff_t down = 0;
  std::ptrdiff_t right = 0;
};

View draw_view(const Augmentation& augmentation, RngKey key, std::size_t position) {
  if (!augmentation.flip && augmentation.pad == 0) return {};
  key.purpose = Purpose::kAugment;
  Rng rng(key.for_block(static_cast<std::uint32_t>(position)));
  const auto pad = static_cast<std::ptrdiff_t>(augmentation.pad);
  const auto shift = [&] {
    return static_cast<std::ptrdiff_t>(rng.below(static_cast<std::uint32_t>(2 * pad + 1))) - pad;
  };
  View view;
  view.mirrored = rng.below(2) == 1 && augmentation.flip;
  view.down = shift();
  view.right = shift();
  return view;
}

// One channel of one row, into every `kStep`-th float from `out` on. What is shifted out is lost,
// and zeros come in.
template <std::ptrdiff_t kStep>
void write_row(std::span<const std::uint8_t> row, const View& view, float mean, float scale,
               float* out) {
  const auto width = static_cast<std::ptrdiff_t>(row.size());
  const std::ptrdiff_t begin = std::clamp<std::ptrdiff_t>(view.right, 0, width);
  const std::ptrdiff_t end = std::clamp<std::ptrdiff_t>(width + view.right, 0, width);
  const auto value = [&](std::ptrdiff_t x) {
    return (static_cast<float>(row[static_cast<std::size_t>(x)]) - mean) * scale;
  };
  for (std::ptrdiff_t x = 0; x < begin; ++x)
    out[x * kStep] = 0;
  if (view.mirrored) {
    for (std::ptrdiff_t x = begin; x < end; ++x)
      out[x * kStep] = value(width - 1 - (x - view.right));
  } else {
    for (std::ptrdiff_t x = begin; x < end; ++x)
      out[x * kStep] = value(x - view.right);
  }
  for (std::ptrdiff_t x = end; x < width; ++x)
    out[x * kStep] = 0;
}

template <std::size_t kChannels>
void write_picture(const ImageShape& shape, std::span<const std::uint8_t> image, const View& view,
                   const Normalization& normalization, std::span<float> out) {
  const auto height = static_cast<std::ptrdiff_t>(shape.height);
  const std::size_t row_size = shape.width * kChannels;
  for (std::ptrdiff_t y = 0; y < height; ++y) {
    const std::span<float> out_row = out.subspan(static_cast<std::size_t>(y) * row_size, row_size);
    const std::ptrdiff_t from = y - view.down;
    if (from < 0 || from >= height) {
      std::ranges::fill(out_row, 0.0f);
      continue;
    }
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
      const std::size_t row = channel * shape.height + static_cast<std::size_t>(from);
      write_row<kChannels>(image.subspan(row * shape.width, shape.width), view,
                           normalization.mean[channel], normalization.scale[channel],
                           out_row.data() + channel);
    }
  }
}

}  // namespace

Normalization normalization_of(const ImageSet& set) {
  Normalization normalization;
  const std::size_t plane = set.shape.height * set.shape.width;
  const double count = static_cast<double>(set.size() * plane);
  expects(count > 0, "pictures to take the mean of");
  for (std::size_t channel = 0; channel < set.shape.channels; ++channel) {
    // Sums of bytes are exact in integers.
    std::uint64_t sum = 0;
    std::uint64_t sum_of_squares = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (const std::uint64_t byte : set.image(i).subspan(channel * plane, plane)) {
        sum += byte;
        sum_of_squares += byte * byte;
      }
    }
    const double mean = static_cast<double>(sum) / count;
    const double variance = static_cast<double>(sum_of_squares) / count - mean * mean;
    normalization.mean.push_back(static_cast<float>(mean));
    normalization.scale.push_back(variance > 0 ? static_cast<float>(1 / std::sqrt(variance))
                                               : 1.0f);
  }
  return normalization;
}

Result<Augmentation> parse_augmentation(std::string_view spec) {
  Options options("augment", spec);
  Augmentation augmentation;
  const bool is_none = options.flag("none");
  augmentation.flip = options.flag("flip");
  augmentation.pad = options.integer("crop", 1, kMostPad).value_or(0);
  if (spec.empty()) options.refuse("augment: nothing is given; say 'none' for no augmentation");
  if (is_none && (augmentation.flip || augmentation.pad > 0))
    options.refuse("augment: 'none' stands alone");
  if (const Result<void> understood = options.finish(); !understood) return understood.error();
  return augmentation;
}

void fill_batch(const ImageSet& set, std::span<const std::uint32_t> picks,
                const Normalization& normalization, const Augmentation& augmentation,
                const RngKey& key, std::span<float> pixels, std::span<std::int64_t> labels) {
  const std::size_t size = set.shape.size();
  const std::size_t channels = set.shape.channels;
  expects(channels == 1 || channels == 3, "grey pictures or coloured ones");
  expects(normalization.mean.size() == channels && normalization.scale.size() == channels,
          "a normalization of this set");
  expects(pixels.size() == picks.size() * size && labels.size() == picks.size(),
          "room for the batch, and no more");
  for (std::size_t position = 0; position < picks.size(); ++position) {
    const std::span<const std::uint8_t> image = set.image(picks[position]);
    const View view = draw_view(augmentation, key, position);
    const std::span<float> out = pixels.subspan(position * size, size);
    if (channels == 1) {
      write_picture<1>(set.shape, image, view, normalization, out);
    } else {
      write_picture<3>(set.shape, image, view, normalization, out);
    }
    labels[position] = set.labels[picks[position]];
  }
}

}  // namespace gossamer
