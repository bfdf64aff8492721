#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/base/contract.hpp"

namespace gossamer {

/// What one picture looks like.
struct ImageShape {
  std::size_t channels = 1;
  std::size_t height = 0;
  std::size_t width = 0;

  [[nodiscard]] std::size_t size() const { return channels * height * width; }

  [[nodiscard]] bool operator==(const ImageShape&) const = default;
};

/// Pictures of one shape and their classes, as bytes: channel by channel, row by row. Read once and
/// shared by all nodes of a process.
struct ImageSet {
  ImageShape shape;
  std::size_t classes = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;

  [[nodiscard]] std::size_t size() const { return labels.size(); }

  [[nodiscard]] std::span<const std::uint8_t> image(std::size_t i) const {
    expects(i < size(), "a picture of the set");
    return std::span(pixels).subspan(i * shape.size(), shape.size());
  }
};

/// Which part of a data set.
enum class Split { kTrain, kTest };

/// Both parts of a data set; one shape, the same classes.
struct ImageData {
  ImageSet train;
  ImageSet test;
};

}  // namespace gossamer
