#pragma once

#include <utility>
#include <vector>

#include "gossamer/train/experiment.hpp"

namespace gossamer {

/// Who talks to whom in a run, the smaller id first; no pairs: everybody to everybody.
[[nodiscard]] std::vector<std::pair<NodeId, NodeId>> talking_pairs(const Experiment& experiment);

}  // namespace gossamer
