#pragma once

#include <span>
#include <string_view>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// What a network learns from.
enum class ModelInput { kPictures, kText };

/// One network of models.def. Reading about it takes no torch.
struct ModelInfo {
  std::string_view name;
  std::string_view example;
  std::string_view options;  // what may follow the name and a colon
  std::string_view summary;  // one sentence
  ModelInput input = ModelInput::kPictures;
};

/// All networks there are, in the order in which users read about them; the user's own file last.
[[nodiscard]] std::span<const ModelInfo> models();

/// Whether a model is a file of the user's: `net.pt`, `models/net`.
[[nodiscard]] bool is_script_file(std::string_view model);

/// The network that a spec names, without its options.
[[nodiscard]] Result<ModelInfo> find_model(std::string_view spec);

}  // namespace gossamer
