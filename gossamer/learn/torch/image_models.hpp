#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "gossamer/base/result.hpp"
#include "gossamer/base/text/options.hpp"
#include "gossamer/learn/images/image_set.hpp"
#include "gossamer/learn/torch/model.hpp"

namespace gossamer {

/// What a network for pictures is made for.
struct PictureTask {
  ImageShape shape;
  std::size_t classes = 0;
};

/// `softmax`, `mlp:256/128`, `lenet`, `cnn:32/64` or `resnet20:norm=group`: a network that takes
/// such pictures and scores so many classes.
[[nodiscard]] Result<ModelFactory> make_image_model(std::string_view spec, const PictureTask& task);

// One for each of them. They ask `options` for all they understand.
[[nodiscard]] ModelFactory make_softmax(Options& options, const PictureTask& task);
[[nodiscard]] ModelFactory make_mlp(Options& options, const PictureTask& task);
[[nodiscard]] ModelFactory make_lenet(Options& options, const PictureTask& task);
[[nodiscard]] ModelFactory make_cnn(Options& options, const PictureTask& task);
[[nodiscard]] ModelFactory make_resnet20(Options& options, const PictureTask& task);

}  // namespace gossamer
