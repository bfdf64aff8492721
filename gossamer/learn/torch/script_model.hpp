#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/images/image_set.hpp"
#include "gossamer/learn/torch/model.hpp"

namespace gossamer {

/// What a network's output means.
enum class LossKind {
  kCrossEntropy,  // scores, of which the loss takes the soft-max
  kLogLikelihood  // logarithms of probabilities
};

/// `cross-entropy` or `nll`.
[[nodiscard]] Result<LossKind> parse_loss(std::string_view name);

/// `1x28x28`: channels, height and width.
[[nodiscard]] Result<ImageShape> parse_input_shape(std::string_view text);

/// A TorchScript file that a user exported from PyTorch.
struct ScriptModel {
  /// Networks with the weights of the file.
  ModelFactory factory;
  // What the file says about itself: its extra file gossamer.json may have `input_shape`, a list
  // of three numbers, and `loss`.
  std::optional<ImageShape> input_shape;
  std::optional<LossKind> loss;
};

[[nodiscard]] Result<ScriptModel> read_script_model(const std::string& path);

}  // namespace gossamer
