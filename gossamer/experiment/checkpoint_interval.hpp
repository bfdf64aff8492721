#pragma once

#include "gossamer/experiment/experiment.hpp"

namespace gossamer {

/// Rounds between checkpoints, in a run that has a folder for them; 0: there are none. As the user
/// says, else none where all nodes share a process, which ends as a whole or not at all; but
/// processes are lost one by one, and what they had not saved is lost with them. They save every
/// 100 rounds, and at most 100 times in a run: a file is some times as large as the model. All
/// nodes have to save the same rounds, so that time does not enter here, which would be the better
/// measure.
[[nodiscard]] Round checkpoint_interval(const Experiment& experiment);

/// Refuses a run that would not be, if it went on from a checkpoint, what it would have been.
[[nodiscard]] Result<void> can_resume(const Experiment& experiment);

}  // namespace gossamer
