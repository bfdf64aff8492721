#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "gossamer/base/options.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/learn/images/image_set.hpp"
#include "gossamer/learn/torch/network.hpp"

namespace gossamer {

/// What a network for pictures is made for.
struct PictureTask {
  ImageShape shape;
  std::size_t classes = 0;
};

/// `softmax`, `mlp:256/128`, `lenet`, `cnn:32/64` or `resnet20:norm=group`: a network that takes
/// such pictures and scores so many classes.
[[nodiscard]] Result<NetworkFactory> make_image_model(std::string_view spec,
                                                      const PictureTask& task);

// One for each of them. They ask `options` for all they understand.
[[nodiscard]] NetworkFactory make_softmax(Options& options, const PictureTask& task);
[[nodiscard]] NetworkFactory make_mlp(Options& options, const PictureTask& task);
[[nodiscard]] NetworkFactory make_lenet(Options& options, const PictureTask& task);
[[nodiscard]] NetworkFactory make_cnn(Options& options, const PictureTask& task);
[[nodiscard]] NetworkFactory make_resnet20(Options& options, const PictureTask& task);

}  // namespace gossamer
