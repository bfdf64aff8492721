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

/// `softmax`, `mlp:256/128`, `lenet`, `cnn:width=32` or `resnet20:norm=group`: a network that takes
/// such pictures and scores so many classes.
[[nodiscard]] Result<ModelFactory> make_image_model(std::string_view spec, const PictureTask& task);

// One for each of them. They ask what they are given for all they understand.
#define GOSSAMER_PICTURE_MODEL(function, name, example, options, summary) \
  [[nodiscard]] ModelFactory make_##function(Options& given, const PictureTask& task);
#define GOSSAMER_TEXT_MODEL(name, example, options, summary)
#define GOSSAMER_SCRIPT_MODEL(name, example, options, summary)
#include "gossamer/learn/models.def"
#undef GOSSAMER_PICTURE_MODEL
#undef GOSSAMER_TEXT_MODEL
#undef GOSSAMER_SCRIPT_MODEL

}  // namespace gossamer
