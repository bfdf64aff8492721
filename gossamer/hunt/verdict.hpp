#pragma once

#include <span>
#include <vector>

#include "gossamer/hunt/hunted_run.hpp"

namespace gossamer {

/// What must hold for the processes of a run, whatever went wrong: nobody ends or hangs who was not
/// killed or stopped, who was started again is in, and all end with one mean.
[[nodiscard]] std::vector<Violation> judge_lives(std::span<const Life> lives, const Hunt& hunt);

}  // namespace gossamer
