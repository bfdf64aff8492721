#pragma once

#include <span>
#include <string>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/math/vec.hpp"
#include "gossamer/store/safetensors.hpp"
#include "gossamer/topology/spanning_tree.hpp"

namespace gossamer {

/// The mean of all nodes' models as they come to it over a network: the sum of a node is its own
/// model plus its children's sums, in double precision; the root divides and rounds once. Nodes of
/// the tree that come after the models, coordinators, have none.
[[nodiscard]] std::vector<float> mean_model(std::span<const FloatBuffer> models,
                                            const SpanningTree& tree);

/// Writes the mean of models that lie in files, summed in their order in double precision and
/// rounded once. Holds one of them at a time.
[[nodiscard]] Result<void> write_mean_model(std::span<const std::string> model_paths,
                                            const std::string& path,
                                            const TensorMetadata& metadata);

}  // namespace gossamer
