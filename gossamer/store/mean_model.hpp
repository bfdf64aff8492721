#pragma once

#include <span>
#include <string>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/math/vec.hpp"
#include "gossamer/store/safetensors.hpp"

namespace gossamer {

/// The mean of models, in the order of nodes and in double precision, rounded once.
[[nodiscard]] std::vector<float> mean_model(std::span<const FloatBuffer> models);

/// Writes the mean of models that lie in files, to the same bits. Holds one of them at a time.
[[nodiscard]] Result<void> write_mean_model(std::span<const std::string> model_paths,
                                            const std::string& path,
                                            const TensorMetadata& metadata);

}  // namespace gossamer
