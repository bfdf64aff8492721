#pragma once

#include <string>

#include "apps/command.hpp"

#include "gossamer/swarm/processes.hpp"
#include "gossamer/swarm/run_request.hpp"

namespace gossamer::cli {

// Where several processes run one command, the first speaks for all: it throws BadInput, the others
// ReportedElsewhere.

/// The processes that share a request.
[[nodiscard]] Processes join_processes(const RunRequest& request);

/// Throws if a launcher has started several processes of a command that is one process's work.
void refuse_many_processes(const std::string& command);

/// What they did together; throws if it failed.
void check_together(const Processes& processes, const Result<void>& done);

}  // namespace gossamer::cli
