#pragma once

#include "gossamer/swarm/processes.hpp"
#include "gossamer/swarm/run_request.hpp"

namespace gossamer {

/// The processes that share a request: under mpirun or srun all ranks, if there are several or the
/// user asks for them, else this one alone.
[[nodiscard]] Result<Processes> processes_for(const RunRequest& request);

/// Puts a config on the processes that there are: each rank is a node, and the last one the
/// coordinator of an algorithm that has one. Refuses a config that wants something else.
[[nodiscard]] Result<void> fit_to_processes(RunConfig& config, const RunRequest& request,
                                            const Processes& processes);

}  // namespace gossamer
