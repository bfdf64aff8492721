#pragma once

#include "apps/commands/run_arguments.hpp"

#include "gossamer/swarm/processes.hpp"

namespace gossamer::cli {

/// `gossamer train --compare allreduce,dpsgd,choco/sign,choco/topk:0.01@0.04`: several methods with
/// otherwise the same settings, one after the other, then one table and one report. A method is an
/// algorithm, its compressor behind a slash, and its gamma behind an @. Returns the exit code: the
/// worst of all. Throws BadInput.
[[nodiscard]] int compare(const RunArguments& arguments, Processes& processes);

}  // namespace gossamer::cli
