#pragma once

#include <string>

#include "gossamer/experiment/experiment.hpp"
#include "gossamer/member/failure.hpp"
#include "gossamer/store/checkpoint.hpp"

namespace gossamer {

/// How to go on with a run of processes that has lost somebody, as this node sees it: half a
/// sentence, which follows the failure's. Empty for failures that starting again does not mend.
/// `checkpoints`: none if the run keeps nothing.
[[nodiscard]] std::string remedy_for(const Failure& failure, const Experiment& experiment,
                                     const CheckpointStore* checkpoints, NodeId self);

}  // namespace gossamer
