#pragma once

#include <vector>

#include "gossamer/train/member_run.hpp"

namespace gossamer {

/// Has stops of this process told to those that it talks to, who pass them on.
void pass_on_stops(StopLine& stop, const Experiment& experiment, Network& network);

/// Runs the loop of the one node that this process has, among processes that have the others. Where
/// all stop together, it tells them of stops, and hears of theirs. Throws RunFailed.
void run_own_node(const Experiment& experiment, Network& network, const RunOptions& options,
                  const MemberSetup::AmongProcesses& process, const Loop& loop);

}  // namespace gossamer
