#pragma once

#include <vector>

#include "gossamer/math/layout.hpp"
#include "gossamer/math/vec.hpp"
#include "gossamer/settings/config.hpp"

namespace gossamer {

/// The models that consensus starts from, one per node.
struct ConsensusData {
  Layout layout;
  std::vector<FloatBuffer> models;
};

/// How many models a file of rows has.
[[nodiscard]] Result<NodeId> count_consensus_rows(const std::string& path);

/// From the rows of config.data, or random numbers of the length or shape that the config says:
/// normal ones, or matrices of a known spectrum.
[[nodiscard]] Result<ConsensusData> make_consensus_data(const RunConfig& config);

}  // namespace gossamer
