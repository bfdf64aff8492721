#pragma once

#include "apps/commands/run_arguments.hpp"
#include "apps/processes/processes.hpp"

namespace gossamer::cli {

/// The processes that share a command with these arguments: under mpirun or srun all ranks, if
/// there are several or the user asks for them, else this one alone.
[[nodiscard]] Processes processes_for(const RunArguments& arguments);

/// Puts a config on the processes that there are: each rank is a node, and the last one the
/// coordinator of an algorithm that has one. Throws BadInput for a config that wants something
/// else.
void fit_to_processes(RunConfig& config, const RunArguments& arguments, const Processes& processes);

}  // namespace gossamer::cli
