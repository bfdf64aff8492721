#pragma once

#include <functional>
#include <optional>

#include "gossamer/experiment/experiment.hpp"
#include "gossamer/member/member.hpp"
#include "gossamer/train/run.hpp"

namespace gossamer {

/// What every node does, from its first round to its last.
using Loop = std::function<void(Member&)>;

/// What a process tells the others of itself before a run, and how it behaves among them.
[[nodiscard]] MemberSetup::AmongProcesses among_processes(const Experiment& experiment, NodeId self,
                                                          const RunOptions& options);

/// Makes the member of one node of an experiment, and runs its loop; tells how it ended. Throws
/// RunFailed.
void run_member(const Experiment& experiment, Network& network, const RunOptions& options,
                std::optional<MemberSetup::AmongProcesses> process, const Loop& loop);

}  // namespace gossamer
